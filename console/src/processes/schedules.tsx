import {
  IconCalendarClock,
  IconCopy,
  IconPencil,
  IconPlayerTrackNext,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import {
  ChangeScheduleDocument,
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
import { TextInput } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeptNotice } from '../ui/kept-notice.tsx';
import { ActionsHead, PauseIcon, RowActions } from '../ui/row-actions.tsx';
import { Empty, Problems } from '../ui/states.tsx';
import { Dot, labelOf } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

interface ScheduleFormOf {
  /** The one to change; null: a new one. */
  readonly before: ScheduleFragment | null;
  /** The one that a new one begins as a copy of. */
  readonly copyOf: ScheduleFragment | null;
}
const NEW: ScheduleFormOf = { before: null, copyOf: null };

/** Lists the user's schedules of a Process, and makes, pauses, triggers and deletes them. */
export function Schedules({
  process,
  again,
}: {
  readonly process: Process;
  readonly again: () => void;
}) {
  const [search, setSearch] = useSearchParams();
  /** The cron expression that a draft of the Process names. */
  const suggested = search.get('cron');
  /** The form that is open: of a new schedule, of a copy, or of one that is changed. */
  const [form, setForm] = useState<ScheduleFormOf | null>(suggested === null ? null : NEW);
  const [deleted, setDeleted] = useState<ScheduleFragment | null>(null);
  const pause = useChange(PauseScheduleDocument);
  const resume = useChange(ResumeScheduleDocument);
  const trigger = useChange(TriggerScheduleDocument);
  const isGone = useIsGone();
  const schedules = process.schedules.filter((schedule) => !isGone(schedule));
  const changes = [pause, resume, trigger];
  const add = (
    <button type="button" className="button primary" onClick={() => setForm(NEW)}>
      <IconPlus size={15} className="icon" />
      New schedule
    </button>
  );
  const close = () => {
    setForm(null);
    if (suggested !== null) setSearch({ view: 'schedules' }, { replace: true });
  };
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
                      <IconButton
                        label="Change the schedule"
                        onClick={() => setForm({ ...NEW, before: schedule })}
                      >
                        <IconPencil size={16} className="icon" />
                      </IconButton>
                      <IconButton
                        label="Duplicate the schedule"
                        onClick={() => setForm({ ...NEW, copyOf: schedule })}
                      >
                        <IconCopy size={16} className="icon" />
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
      {form === null ? null : (
        <ScheduleForm
          {...form}
          process={process}
          suggested={suggested}
          onClose={close}
          onMade={() => {
            close();
            again();
          }}
        />
      )}
    </>
  );
}

const CRONS = ['@hourly', '@daily', '@weekly', '30 6 * * 1-5'];

/** Makes a schedule, or changes one, which keeps its id and its runs. */
function ScheduleForm({
  process,
  before,
  copyOf,
  suggested,
  onClose,
  onMade,
}: {
  readonly process: Process;
  /** The cron expression that a new one begins with. */
  readonly suggested: string | null;
  readonly onClose: () => void;
  readonly onMade: () => void;
} & ScheduleFormOf) {
  const create = useChange(NewScheduleDocument);
  const change = useChange(ChangeScheduleDocument);
  const first = before ?? copyOf;
  const key = copyOf === null ? (before?.id ?? process.id) : `copy of ${copyOf.id}`;
  const kept = useKept(`schedule ${key}`, () => ({
    cron: first?.cron ?? suggested ?? '',
    timezone: first?.timezone ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'),
    note: first?.note ?? '',
    context: { ...first?.context } as Record<string, unknown>,
  }));
  const { cron, timezone, note, context } = kept.value;
  const set = (next: Partial<typeof kept.value>) => kept.set({ ...kept.value, ...next });
  const isSending = create.isSending || change.isSending;
  const send = async (given: Record<string, unknown>) => {
    const fields = { cron, timezone, context: given, note: note === '' ? null : note };
    const made =
      before === null
        ? (await create.send({ input: { ...fields, processId: process.id } }))
            ?.createProcessSchedule.schedule
        : (
            await change.send({
              input: { ...fields, id: before.id, expectedRevision: before.revision },
            })
          )?.updateProcessSchedule.schedule;
    if (made == null) return;
    kept.drop();
    notify(before === null ? 'Made the schedule.' : 'Changed the schedule.');
    onMade();
  };
  const needsContext = process.initialContext.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(context);
  };
  return (
    <Dialog
      title={before === null ? `Schedule ${process.name}` : `Change the schedule ${before.cron}`}
      isOpen
      onClose={onClose}
    >
      <KeptNotice kept={kept} />
      <TextInput
        label="Cron expression"
        note="Minute, hour, day of month, month, day of week: 30 6 * * 1-5. Or @daily and such."
        docs="schedule"
        isMono
        options={CRONS}
        placeholder="30 6 * * 1-5"
        value={cron}
        onSet={(text) => set({ cron: text })}
      />
      <TextInput
        label="Time zone"
        note="A name such as Europe/Rome, or UTC."
        docs="schedule"
        value={timezone}
        onSet={(text) => set({ timezone: text })}
      />
      <TextInput
        label="Note (may be left out)"
        note="For people; it stands in the list of schedules."
        docs="schedule"
        value={note}
        onSet={(text) => set({ note: text })}
      />
      {needsContext ? (
        <SchemaForm
          id="schedule"
          schema={formSchema(process)}
          value={context}
          onChange={(next) => set({ context: next })}
          onSubmit={(given) => void send(given)}
        />
      ) : (
        <form id="schedule" onSubmit={submit} />
      )}
      <Problems problems={[...create.problems, ...change.problems]} />
      <div className="row">
        <button
          type="submit"
          form="schedule"
          className="button primary"
          aria-busy={isSending}
          disabled={cron.trim() === '' || isSending}
        >
          {before === null ? 'Make the schedule' : 'Save'}
        </button>
      </div>
    </Dialog>
  );
}
