import { IconCalendarClock, IconPlayerTrackNext, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import {
  DeleteScheduleDocument,
  NewScheduleDocument,
  PauseScheduleDocument,
  type ProcessPageQuery,
  ResumeScheduleDocument,
  type ScheduleFragment,
  TriggerScheduleDocument,
} from '../generated/documents.ts';
import { formSchema } from '../runs/context-schema.ts';
import { SchemaForm } from '../runs/schema-form.tsx';
import { DeleteDialog } from '../ui/delete-dialog.tsx';
import { useIsGone } from '../ui/deletions.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { ActionsHead, PauseIcon, RowActions } from '../ui/row-actions.tsx';
import { Empty, Problems } from '../ui/states.tsx';
import { Dot, labelOf } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

/** Lists the user's schedules of a Process, and makes, pauses, triggers and deletes them. */
export function Schedules({
  process,
  again,
}: {
  readonly process: Process;
  readonly again: () => void;
}) {
  const [isNew, setNew] = useState(false);
  const [deleted, setDeleted] = useState<ScheduleFragment | null>(null);
  const pause = useChange(PauseScheduleDocument);
  const resume = useChange(ResumeScheduleDocument);
  const trigger = useChange(TriggerScheduleDocument);
  const isGone = useIsGone();
  const schedules = process.schedules.filter((schedule) => !isGone(schedule));
  const changes = [pause, resume, trigger];
  const add = (
    <button type="button" className="button primary" onClick={() => setNew(true)}>
      <IconPlus size={15} className="icon" />
      New schedule
    </button>
  );
  const toggle = async ({ id, paused }: ScheduleFragment) => {
    const done = await (paused ? resume : pause).send({ input: { id } });
    if (done === null) return;
    notify(paused ? 'It runs by its schedule again.' : 'It is paused.');
    again();
  };
  return (
    <>
      <Problems problems={changes.flatMap(({ problems }) => problems)} />
      {schedules.length === 0 ? (
        <Empty
          icon={<IconCalendarClock size={28} className="icon" stroke={1.5} />}
          title="No schedule"
          actions={add}
        >
          A schedule starts this Process by a cron expression in a time zone, each time with the
          same context.
        </Empty>
      ) : (
        <>
          <div className="pad-20">{add}</div>
          <table className="table">
            <thead>
              <tr>
                <th>When</th>
                <th className="hide-small">Note</th>
                <th>Next</th>
                <th>Latest runs</th>
                <ActionsHead />
              </tr>
            </thead>
            <tbody>
              {schedules.map((schedule) => (
                <tr key={schedule.id}>
                  <td>
                    <span className="mono">{schedule.cron}</span>{' '}
                    <span className="faint small">{schedule.timezone}</span>{' '}
                    {schedule.paused ? <span className="tag">paused</span> : null}
                    {schedule.lastError == null ? null : (
                      <div className="small toned tone-bad clip-2">{schedule.lastError}</div>
                    )}
                  </td>
                  <td className="hide-small dim">{schedule.note}</td>
                  <td className="dim">
                    {schedule.paused || schedule.nextRunsAt[0] === undefined ? (
                      '–'
                    ) : (
                      <Time at={schedule.nextRunsAt[0]} />
                    )}
                  </td>
                  <td>
                    <span className="row gap-4">
                      {schedule.recentRuns.length === 0 ? (
                        <span className="faint">none</span>
                      ) : null}
                      {schedule.recentRuns.slice(0, 8).map(({ id, status }) => (
                        <Link key={id} href={`/runs/${id}`} aria-label={labelOf(status)}>
                          <Dot status={status} />
                        </Link>
                      ))}
                    </span>
                  </td>
                  <td>
                    <RowActions>
                      <IconButton
                        label="Run now"
                        onClick={async () => {
                          if ((await trigger.send({ input: { id: schedule.id } })) === null) return;
                          notify('It runs now.');
                          again();
                        }}
                      >
                        <IconPlayerTrackNext size={16} className="icon" />
                      </IconButton>
                      <IconButton
                        label={schedule.paused ? 'Resume the schedule' : 'Pause the schedule'}
                        onClick={() => void toggle(schedule)}
                      >
                        <PauseIcon isPaused={schedule.paused} />
                      </IconButton>
                      <IconButton label="Delete the schedule" onClick={() => setDeleted(schedule)}>
                        <IconTrash size={16} className="icon" />
                      </IconButton>
                    </RowActions>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {deleted === null ? null : (
        <DeleteDialog
          kind="schedule"
          name={`the schedule ${deleted.cron}`}
          document={DeleteScheduleDocument}
          of={{ id: deleted.id }}
          uses={[]}
          onDeleted={again}
          onClose={() => setDeleted(null)}
        >
          It starts no more runs. The runs that it started stay.
        </DeleteDialog>
      )}
      {isNew ? (
        <NewSchedule
          process={process}
          onClose={() => setNew(false)}
          onMade={() => {
            setNew(false);
            again();
          }}
        />
      ) : null}
    </>
  );
}

const CRONS = ['@hourly', '@daily', '@weekly', '30 6 * * 1-5'];

function NewSchedule({
  process,
  onClose,
  onMade,
}: {
  readonly process: Process;
  readonly onClose: () => void;
  readonly onMade: () => void;
}) {
  const create = useChange(NewScheduleDocument);
  const [cron, setCron] = useState('');
  const [timezone, setTimezone] = useState(
    () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  );
  const [note, setNote] = useState('');
  const [context, setContext] = useState<Record<string, unknown>>({});
  const send = async (given: Record<string, unknown>) => {
    const done = await create.send({
      input: {
        processId: process.id,
        cron,
        timezone,
        context: given,
        ...(note === '' ? {} : { note }),
      },
    });
    if (done === null) return;
    notify('Made the schedule.');
    onMade();
  };
  const needsContext = process.initialContext.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(context);
  };
  return (
    <Dialog title={`Schedule ${process.name}`} isOpen onClose={onClose}>
      <Field id="cron" label="Cron expression">
        <input
          id="cron"
          className="input mono"
          list="crons"
          placeholder="30 6 * * 1-5"
          value={cron}
          onChange={({ target }) => setCron(target.value)}
        />
        <datalist id="crons">
          {CRONS.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <span className="small faint">Minute, hour, day of month, month, day of week.</span>
      </Field>
      <Field id="timezone" label="Time zone">
        <input
          id="timezone"
          className="input"
          value={timezone}
          onChange={({ target }) => setTimezone(target.value)}
        />
      </Field>
      <Field id="note" label="Note">
        <input
          id="note"
          className="input"
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </Field>
      {needsContext ? (
        <SchemaForm
          id="schedule"
          schema={formSchema(process)}
          value={context}
          onChange={setContext}
          onSubmit={(given) => void send(given)}
        />
      ) : (
        <form id="schedule" onSubmit={submit} />
      )}
      <Problems problems={create.problems} />
      <div className="row">
        <button
          type="submit"
          form="schedule"
          className="button primary"
          aria-busy={create.isSending}
          disabled={cron.trim() === '' || create.isSending}
        >
          {create.isSending ? 'Making …' : 'Make the schedule'}
        </button>
      </div>
    </Dialog>
  );
}
