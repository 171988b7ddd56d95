import '@xyflow/react/dist/base.css';
import './run-graph.css';
import {
  Background,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react';
import { memo, useMemo, useState } from 'react';
import type { DefinedStepFragment } from '../generated/documents.ts';
import { Dot, labelOf, toneOf } from '../ui/status.tsx';
import { Duration } from '../ui/time.tsx';
import { NODE_HEIGHT, NODE_WIDTH, PILL_HEIGHT, PILL_WIDTH } from './graph-card.ts';
import { layoutOf, START } from './graph-layout.ts';
import { isOpen } from './run-status.ts';
import { StepIcon } from './step-icon.tsx';
import { lineAt, moveTo, placeAt, placeByKey, type StepPlace } from './step-place.ts';
import { type StepRun, type StepView, stagesOf } from './step-view.ts';

type StepNode = Node<
  { readonly view: StepView; readonly isChosen: boolean; readonly isConnectable: boolean },
  'step'
>;
type PillNode = Node<{ readonly label: string }, 'pill'>;
type DropNode = Node<Record<string, never>, 'drop'>;

const NODE_TYPES = { step: memo(StepCard, isDrawnAlike), pill: memo(Pill), drop: memo(DropLine) };
/** Distance in px after which a press is a drag, and no click any more. */
const DRAG_PX = 6;

/** A card that is being dragged. */
interface Drag {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** The place where it would be dropped; null: it would go back. */
  readonly place: StepPlace | null;
}

/** The steps of a Process as a graph; with a run, each with its state. */
export const RunGraph = memo(function RunGraph({
  steps,
  views,
  chosen,
  onChoose,
  onConnect,
  onMove,
}: {
  readonly steps: readonly DefinedStepFragment[];
  readonly views: readonly StepView[];
  readonly chosen: string | null;
  readonly onChoose: (stepId: string | null) => void;
  /** A line was drawn from one step to another; absent: none can be drawn. */
  readonly onConnect?: (from: string, to: string) => void;
  /** A step was dragged, or moved by a key; absent: none can be moved. */
  readonly onMove?: (stepId: string, place: StepPlace) => void;
}) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const stages = useMemo(() => stagesOf(steps), [steps]);
  const placed = useMemo(() => layoutOf(steps), [steps]);
  const isConnectable = onConnect !== undefined;
  const byId = useMemo(() => new Map(views.map((view) => [view.id, view])), [views]);
  const nodes = useMemo(
    () =>
      placed.nodes.map(({ id, x, y }): StepNode | PillNode => {
        const view = byId.get(id);
        const position = { x, y };
        if (view === undefined) {
          const label = id === START ? 'Context' : 'Output';
          return {
            id,
            type: 'pill',
            position,
            data: { label },
            draggable: false,
            selectable: false,
            focusable: false,
            ...sizeOf(PILL_WIDTH, PILL_HEIGHT),
          };
        }
        return {
          id,
          type: 'step',
          position,
          data: { view, isChosen: id === chosen, isConnectable },
          ...sizeOf(NODE_WIDTH, NODE_HEIGHT),
          ariaRole: 'button' as const,
        };
      }),
    [placed, byId, chosen, isConnectable],
  );
  const edges = useMemo(
    () =>
      placed.edges.map(
        ({ from, to }): Edge => ({
          id: `${from} ${to}`,
          source: from,
          target: to,
          animated: byId.get(to)?.status === 'RUNNING',
          focusable: false,
          className: byId.get(to)?.status === 'SKIPPED' ? 'skipped' : '',
        }),
      ),
    [placed, byId],
  );
  const shown = useMemo((): (StepNode | PillNode | DropNode)[] => {
    if (drag === null) return nodes;
    const { id, x, y, place } = drag;
    const lifted = nodes.map((node) =>
      node.id === id ? { ...node, position: { x, y }, zIndex: 10, className: 'lifted' } : node,
    );
    if (place === null) return lifted;
    const { width, height, ...position } = lineAt(placed.nodes, stages, id, place);
    return [...lifted, { id: ':drop', type: 'drop', position, data: {}, width, height, ...STILL }];
  }, [nodes, drag, placed, stages]);
  const dragTo = (id: string, { x, y }: { readonly x: number; readonly y: number }): Drag => {
    const middle = { x: x + NODE_WIDTH / 2, y: y + NODE_HEIGHT / 2 };
    const place = placeAt(placed.nodes, stages, id, middle);
    return { id, x, y, place: moveTo(steps, id, place) === null ? null : place };
  };
  const help =
    onMove === undefined
      ? 'Press Enter to open the step.'
      : 'Press Enter to open the step. Alt and an arrow key move it.';
  return (
    <ReactFlowProvider>
      <ReactFlow
        nodes={shown}
        edges={edges}
        nodeTypes={NODE_TYPES}
        fitView
        fitViewOptions={{ padding: 0.07, maxZoom: 1 }}
        minZoom={0.15}
        maxZoom={1.6}
        nodesDraggable={onMove !== undefined}
        nodeDragThreshold={DRAG_PX}
        onNodeDrag={(_event, { id, position }) => setDrag(dragTo(id, position))}
        onNodeDragStop={(_event, { id, position }) => {
          const { place } = dragTo(id, position);
          setDrag(null);
          if (place !== null) onMove?.(id, place);
        }}
        ariaLabelConfig={{
          'node.a11yDescription.default': help,
          'node.a11yDescription.keyboardDisabled': help,
        }}
        nodesConnectable={onConnect !== undefined}
        {...(onConnect === undefined
          ? {}
          : { onConnect: ({ source, target }) => onConnect(source, target) })}
        edgesFocusable={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        onNodeClick={(_event, { id, type }) => {
          if (type === 'step') onChoose(id === chosen ? null : id);
        }}
        onPaneClick={() => onChoose(null)}
        onKeyDown={(event) => {
          const { key, target } = event;
          if (!(target instanceof HTMLElement)) return;
          const { id } = target.dataset;
          if (id === undefined || !byId.has(id)) return;
          if (event.altKey && onMove !== undefined && key.startsWith('Arrow')) {
            // In the browser, Alt and an arrow key go to another page.
            event.preventDefault();
            const place = placeByKey(steps, id, key);
            if (place !== null) onMove(id, place);
            return;
          }
          if (key !== 'Enter' && key !== ' ') return;
          event.preventDefault();
          onChoose(id === chosen ? null : id);
        }}
        onlyRenderVisibleElements={nodes.length > 120}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} size={1} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </ReactFlowProvider>
  );
});

const STILL = { draggable: false, selectable: false, focusable: false, zIndex: 9 } as const;

/** Whether two states of a card look the same; a run sends all its steps at each change. */
function isDrawnAlike(before: NodeProps<StepNode>, after: NodeProps<StepNode>): boolean {
  return (
    before.data.isChosen === after.data.isChosen &&
    before.data.view.defined === after.data.view.defined &&
    before.data.view.status === after.data.view.status &&
    before.data.view.runs.length === after.data.view.runs.length &&
    before.data.view.runs.every((run, index) => isRunAlike(run, after.data.view.runs[index]))
  );
}

function isRunAlike(before: StepRun, after: StepRun | undefined): boolean {
  return (
    after !== undefined &&
    before.status === after.status &&
    before.attempt === after.attempt &&
    before.cached === after.cached &&
    before.startedAt === after.startedAt &&
    before.completedAt === after.completedAt
  );
}

/** Sizes are known, so nothing waits for a measurement. */
function sizeOf(width: number, height: number) {
  const handle = { y: height / 2, width: 1, height: 1 };
  return {
    width,
    height,
    handles: [
      { ...handle, type: 'target' as const, position: Position.Left, x: 0 },
      { ...handle, type: 'source' as const, position: Position.Right, x: width },
    ],
  };
}

function StepCard({ data: { view, isChosen, isConnectable } }: NodeProps<StepNode>) {
  const { id, defined, runs, status } = view;
  const [first] = runs;
  const done = runs.filter((run) => run.status === 'COMPLETED').length;
  const attempts = Math.max(0, ...runs.map(({ attempt }) => attempt));
  return (
    <div
      className={
        `step-node ${status === null ? '' : `tone-${toneOf(status)}`} ` +
        `${status ?? 'NONE'}${isChosen ? ' chosen' : ''}`
      }
      style={{ width: NODE_WIDTH, height: NODE_HEIGHT }}
    >
      <Handle type="target" position={Position.Left} isConnectable={isConnectable} />
      <span className="step-node-icon">
        <StepIcon step={defined} />
      </span>
      <span className="col gap-0 grow">
        <span className="row gap-4 spread">
          <span className="strong clip">{id}</span>
          {status === null ? null : (
            <>
              <Dot status={status} />
              <span className="visually-hidden">{labelOf(status)}</span>
            </>
          )}
        </span>
        <span className="row gap-4 small dim spread">
          <span className="clip">{defined?.target.name ?? ''}</span>
          <span className="num faint">
            {runs.length > 1 ? `${done}/${runs.length}` : null}
            {attempts > 1 ? ` try ${attempts}` : null}
            {runs.length === 1 && first !== undefined && first.status !== 'SKIPPED' ? (
              first.cached ? (
                'cached'
              ) : (
                <Duration
                  from={first.startedAt}
                  to={first.completedAt}
                  isLive={isOpen(first.status)}
                />
              )
            ) : null}
            {status === 'SKIPPED' ? 'skipped' : null}
          </span>
        </span>
      </span>
      <Handle type="source" position={Position.Right} isConnectable={isConnectable} />
    </div>
  );
}

function Pill({ data: { label } }: NodeProps<PillNode>) {
  return (
    <div className="pill-node">
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {label}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

function DropLine({ width, height }: NodeProps<DropNode>) {
  return <div className="drop-line" style={{ width, height }} />;
}
