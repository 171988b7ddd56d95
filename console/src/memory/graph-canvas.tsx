import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import { useEffect, useMemo, useRef, useState } from 'react';
import Sigma, { DEFAULT_STYLES } from 'sigma';

export interface DrawnNode {
  readonly key: string;
  readonly name: string;
  /** Number of facts, for the size. */
  readonly weight: number;
  readonly entityType: string | null;
}

export interface DrawnEdge {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** Colours of types, in the order of their first appearance. */
const COLOURS = ['#3451c7', '#15803d', '#b45309', '#7c3aed', '#be185d', '#0e7490', '#686874'];
const ITERATIONS = 220;

/** Places of all nodes, computed once, so that a move of the time moves no node. */
function placesOf(nodes: readonly DrawnNode[], edges: readonly DrawnEdge[]) {
  const graph = new Graph({ multi: true });
  for (const [index, { key }] of nodes.entries()) {
    const angle = index * 2.399963;
    const radius = Math.sqrt(index + 1);
    graph.addNode(key, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
  }
  for (const { key, from, to } of edges)
    if (from !== to && graph.hasNode(from) && graph.hasNode(to))
      graph.addEdgeWithKey(key, from, to);
  if (graph.order > 1)
    forceAtlas2.assign(graph, {
      iterations: ITERATIONS,
      settings: { ...forceAtlas2.inferSettings(graph), gravity: 1.2, adjustSizes: false },
    });
  return new Map(graph.mapNodes((key, { x, y }) => [key, { x, y }] as const));
}

/** Draws entities and facts as a graph by WebGL. Nodes keep their places when others are hidden. */
export function GraphCanvas({
  nodes,
  edges,
  isShown,
  onChoose,
}: {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly isShown: (key: string) => boolean;
  readonly onChoose: (key: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isMissing, setMissing] = useState(false);
  const places = useMemo(() => placesOf(nodes, edges), [nodes, edges]);
  const sigma = useRef<Sigma | null>(null);
  const choose = useRef(onChoose);
  choose.current = onChoose;

  useEffect(() => {
    if (place.current === null) return;
    const styles = getComputedStyle(place.current);
    try {
      const drawn = new Sigma(new Graph({ multi: true }), place.current, {
        settings: {
          allowInvalidContainer: true,
          itemSizesReference: 'screen',
          stagePadding: 60,
          gestureTarget: 'graph',
          labelRenderedSizeThreshold: 4,
        },
        styles: {
          nodes: {
            ...DEFAULT_STYLES.nodes,
            labelColor: styles.getPropertyValue('--text'),
            labelFont: 'Inter Variable, sans-serif',
            backdropColor: styles.getPropertyValue('--bg'),
          },
          edges: DEFAULT_STYLES.edges,
        },
      });
      drawn.on('clickNode', ({ node }) => choose.current(node));
      sigma.current = drawn;
      return () => {
        sigma.current = null;
        drawn.kill();
      };
    } catch {
      // The list beside the graph shows the same facts.
      setMissing(true);
      return;
    }
  }, []);

  useEffect(() => {
    const graph = sigma.current?.getGraph();
    if (graph === undefined) return;
    const types = [...new Set(nodes.map(({ entityType }) => entityType))];
    graph.clear();
    for (const { key, name, weight, entityType } of nodes) {
      const at = places.get(key);
      if (at === undefined || !isShown(key)) continue;
      graph.addNode(key, {
        ...at,
        label: name,
        size: 5 + Math.min(10, Math.sqrt(weight) * 2),
        color: COLOURS[types.indexOf(entityType) % COLOURS.length],
      });
    }
    for (const { key, from, to } of edges)
      if (from !== to && isShown(key) && graph.hasNode(from) && graph.hasNode(to))
        graph.addEdgeWithKey(key, from, to, { size: 1.5, color: '#a5a5b1' });
  }, [nodes, edges, places, isShown]);

  return isMissing ? (
    <p className="pad-20 dim small">
      This browser cannot draw the graph: WebGL is off. The facts stand beside.
    </p>
  ) : (
    <div
      ref={place}
      className="memory-canvas"
      role="img"
      aria-label="Graph of entities and facts"
    />
  );
}
