import { finishWork } from '../../background/background.cypher.ts';
import { recordFailureIn } from '../../background/background.mutations.ts';
import { deleteWork, findWork } from '../../background/work.cypher.ts';
import { instant } from '../../common/clock.ts';
import { nameForModel, SPEAKERS } from '../../conversations/turn.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { isAsking } from '../../text/questions.ts';
import type { MemoryGraphDeps } from '../deps.ts';
import { derivedId } from '../derived-id.service.ts';
import type { VectorSlot } from '../embeddings/embedding.ts';
import { updateActiveEntities } from '../entities/active-entity.mutations.ts';
import { startDueEnrichments } from '../entities/enrichment.mutations.ts';
import { insertEntities } from '../entities/entity.cypher.ts';
import type { Entity, EntitySource } from '../entities/entity.ts';
import { rivalNames } from '../entities/fact.ts';
import { isNamedIn, nameKey } from '../entities/name-match.ts';
import { tellSummaries } from '../entities/told-summary.cypher.ts';
import { findStanding } from '../forgetting/forget.cypher.ts';
import { userGroupOf } from '../group.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import {
  findCandidates,
  listRelatedFacts,
  type Touched,
  touchEntities,
  writeFacts,
} from '../resolution/resolution.cypher.ts';
import { resolveEntity } from '../resolution/resolution.ts';
import type { Judge } from '../statements/replacing.service.ts';
import { copyStatements } from '../statements/statement.cypher.ts';
import { type StatedIn, stateIn, withJudge } from '../statements/statement.mutations.ts';
import { settleEpisodes, settleRead } from '../withdrawal/withdrawal.mutations.ts';
import type { ExtractedEntity, Extraction } from './extraction.ts';
import { provenExtraction } from './extraction-proof.ts';
import {
  extractionItem,
  knownIn,
  ownerOf,
  readRuns,
  withNews,
} from './extraction-run.mutations.ts';
import { planFacts } from './fact-plan.ts';
import {
  copyMentions,
  findIngest,
  findIngests,
  finishIngest,
  type Ingest,
  type KnownEntity,
} from './ingest.cypher.ts';
import { ownFindings } from './others-words.ts';
import { findingsByTurn, withWholeTexts } from './turn-batch.ts';
import { withoutForgotten } from './without-forgotten.service.ts';

/**
 * Writes the entities and facts that a run extracted from the Episodes of its batch, and mentions
 * of known entities whose names are in their texts. Oldest Episode first; one transaction each,
 * once. A failed run, or invalid output, leaves faults with the ingest.
 */
export async function applyExtraction(
  deps: MemoryGraphDeps,
  { alternativeId, runId }: { readonly alternativeId: string; readonly runId: string | null },
): Promise<void> {
  const asked = await deps.graph.read((tx) => findIngest(tx, alternativeId));
  if (asked === null || asked.endedAt !== null) return;
  const ingests =
    asked.batch.length === 1
      ? [asked]
      : await deps.graph.read((tx) => findIngests(tx, asked.batch));
  const news = await deps.graph.read((tx) => withNews(deps, tx, ingests));
  const turns = news.map((one) => ({
    ...one,
    speakerName: nameForModel(one.speaker, one.ownerName),
  }));
  const material = ingests.map(({ content }) => content).join('\n');
  const known = await deps.graph.write((tx) => knownIn(tx, asked, material));
  const isNamed = ({ name }: KnownEntity) => isNamedIn(material, name);
  const { extraction: read, ...run } = await readRuns(deps, runId, known.filter(isNamed));
  const { status, hasFailed } = run;
  const said = turns.map(({ content }) => content);
  const extraction = withWholeTexts(read, said);
  const findings = findingsByTurn(extraction, turns);
  for (const [index, turn] of turns.entries())
    await applyToTurn(deps, turn.alternativeId, {
      status,
      runId,
      extraction: findings[index] ?? extraction,
      isUseless: isUseless(extraction),
      hasFailed,
      content: turn.content,
      others: turns.filter((_, at) => at !== index).map(({ content }) => content),
      known,
    });
}

interface TurnFindings {
  readonly status: string;
  readonly runId: string | null;
  readonly extraction: Extraction;
  /** Whether the model's answer about the batch holds nothing but faults. */
  readonly isUseless: boolean;
  /** Whether the run of the batch failed; false where a user cancelled it. */
  readonly hasFailed: boolean;
  /** The text without what it repeats of memory. */
  readonly content: string;
  /** Contents of the other turns of its batch. */
  readonly others: readonly string[];
  readonly known: readonly KnownEntity[];
}

async function applyToTurn(
  deps: MemoryGraphDeps,
  alternativeId: string,
  { status, runId, extraction: read, content, others, known, ...answer }: TurnFindings,
): Promise<void> {
  const before = await deps.graph.read((tx) => findIngest(tx, alternativeId));
  if (before === null || before.endedAt !== null) return;
  const named = known.filter(({ name }) => isNamedIn(before.content, name));
  const names = [
    ...known.map(({ name }) => name),
    ...SPEAKERS.map((speaker) => nameForModel(speaker, before.ownerName)),
  ];
  const earlier = [...before.earlier, ...others];
  const speaker = nameForModel(before.speaker, before.ownerName);
  const proven = provenExtraction(read, { ...before, content, earlier, names });
  const findings = told(ownFindings(proven, { content, speaker }), content);
  // The embedding model is called before the transaction, so no lock waits for it.
  const embedded =
    findings.entities.length === 0
      ? null
      : await deps.embeddings.embed(findings.entities.map(textOf));
  const { dedupSimilarityThreshold: threshold, activeEntitiesMax } = await deps.settings.current();
  const apply = async (tx: WriteTx, judge?: Judge): Promise<boolean> => {
    // Ingests of one user may mention the same entities, so they run one after another.
    await lockResources(tx, [before.ownerId, before.conversationId]);
    const ingest = await findIngest(tx, alternativeId);
    if (ingest === null || ingest.endedAt !== null) return false;
    const now = instant(deps.clock);
    const extraction = await withoutForgotten(tx, ingest, findings);
    const place = { ingest, now, threshold, embedded: vectorsOf(extraction, findings, embedded) };
    const resolved = await writeEntities(tx, place, extraction, await standing(tx, named));
    const stated = await writeExtractedFacts(tx, place, extraction, resolved.uuidOf);
    const entities = [...extraction.entities, ...named].flatMap(({ name }) => {
      const uuid = resolved.uuidOf.get(nameKey(name));
      return uuid === undefined ? [] : [{ name, uuid }];
    });
    const over = await stateIn(tx, statedIn(ingest), extraction, { entities, now, judge });
    await finish(deps, tx, ingest, {
      status,
      runId,
      entityUuids: resolved.mentioned,
      factUuids: [...new Set([...stated, ...over])],
      faults: extraction.faults,
    });
    const item = extractionItem(ingest);
    const isUnusable = answer.isUseless || (others.length === 0 && isUseless(proven));
    if (status === 'read' && isUnusable)
      await recordFailureIn(deps, tx, item, unreadable(extraction.faults));
    else if (status === 'read') await finishWork(tx, item);
    // The run's own turn waits since the run ended. The others of its batch wait from now on.
    if (answer.hasFailed && others.length > 0 && (await findWork(tx, item)) === null)
      await recordFailureIn(deps, tx, item, null);
    if (ingest.isBranched) await settleRead(tx, ingest, now);
    await updateActiveEntities(deps, tx, ingest, activeEntitiesMax);
    await startDueEnrichments(deps, tx, ownerOf(ingest), resolved.mentioned);
    return true;
  };
  const applied = await withJudge(deps, statedIn(before), findings, (judge) =>
    deps.graph.write((tx) => apply(tx, judge)),
  );
  if (applied) deps.wake();
}

/** The findings of a text; of one that only asks, what it states something of. */
function told(extraction: Extraction, content: string): Extraction {
  if (!isAsking(content)) return extraction;
  const ends = new Set(extraction.facts.flatMap(({ source, target }) => [source, target]));
  const entities = extraction.entities.filter(({ name }) => ends.has(name));
  return { ...extraction, entities };
}

/** The known entities under their present uuids: merges and forgetting may be faster than a run. */
async function standing(tx: WriteTx, known: readonly KnownEntity[]): Promise<KnownEntity[]> {
  const present = await findStanding(
    tx,
    known.map(({ uuid }) => uuid),
  );
  return known.flatMap((one) => {
    const uuid = present.get(one.uuid);
    return uuid === undefined ? [] : [{ ...one, uuid }];
  });
}

/** The vectors of the entities that are left of those that were embedded. */
function vectorsOf(
  left: Extraction,
  whole: Extraction,
  embedded: Place['embedded'],
): Place['embedded'] {
  if (embedded === null || left.entities.length === whole.entities.length) return embedded;
  const kept = new Set(left.entities.map(({ name }) => name));
  const vectors = whole.entities.flatMap((entity, at) => {
    const vector = embedded.vectors[at];
    return kept.has(entity.name) && vector !== undefined ? [vector] : [];
  });
  return { ...embedded, vectors };
}

/** Whether an answer holds nothing but faults. */
function isUseless({ entities, facts, statements, faults }: Extraction): boolean {
  const found = entities.length + facts.length + statements.length;
  return faults.length > 0 && found === 0;
}

function unreadable(faults: readonly string[]) {
  return { code: 'OUTPUT_INVALID', message: `The answer can't be used: ${faults[0] ?? ''}` };
}

const textOf = ({ name, summary }: ExtractedEntity): string =>
  summary === '' ? name : `${name}: ${summary}`;

/** The ingest that findings are written for. */
export interface Place {
  readonly ingest: Ingest;
  readonly now: string;
  readonly threshold: number;
  readonly embedded: { readonly slot: VectorSlot; readonly vectors: readonly number[][] } | null;
}

/** Inserts new entities and updates known ones. @returns also the uuid of each name, for facts */
export async function writeEntities(
  tx: WriteTx,
  { ingest, now, threshold, embedded }: Place,
  extraction: Extraction,
  named: readonly KnownEntity[],
): Promise<{ mentioned: string[]; uuidOf: ReadonlyMap<string, string> }> {
  const { ownerId, episodeUuid } = ingest;
  const wanted = extraction.entities.map(({ name }, index) => ({
    key: nameKey(name),
    name,
    same: extraction.same.get(nameKey(name)) ?? null,
    vector: embedded?.vectors[index] ?? null,
  }));
  const candidates = await findCandidates(tx, ingest, wanted, embedded?.slot ?? null);
  // Of two known things of one name, the first is meant.
  const uuidOf = new Map(named.toReversed().map(({ name, uuid }) => [nameKey(name), uuid]));
  const created: Entity[] = [];
  const touched = new Map<string, Touched>();
  for (const extracted of extraction.entities) {
    const key = nameKey(extracted.name);
    const sameUuid = extraction.same.get(key) ?? null;
    const known = resolveEntity(extracted, candidates.get(key) ?? [], { threshold, sameUuid });
    const source: EntitySource = {
      type: 'graphiti',
      createdAt: now,
      createdBy: null,
      episodeId: episodeUuid,
      originalName: extracted.name,
      confidence: null,
    };
    const typing =
      extracted.category === null
        ? null
        : {
            category: extracted.category,
            confidence: { category: 0.5, facets: {} },
            inferredBy: 'graphiti' as const,
          };
    if (known === null) {
      const uuid = derivedId('entity', episodeUuid, key);
      uuidOf.set(key, uuid);
      created.push({
        uuid,
        name: extracted.name,
        entityType: extracted.category,
        summary: extracted.summary,
        written: null,
        groupId: userGroupOf(ownerId),
        createdAt: now,
        validAt: now,
        sources: [source],
        facets: null,
        typing,
        enrichment: null,
        enrichedAt: null,
        enrichedById: null,
        edgeCount: 0,
        mergedFrom: [],
      });
      continue;
    }
    uuidOf.set(key, known.uuid);
    const earlier = touched.get(known.uuid);
    // A known thing without any text gets that of the model; facts replace it.
    const summary = earlier?.summary ?? (known.summary === '' ? extracted.summary : '');
    const isTyped = known.category !== null || extracted.category === null;
    touched.set(known.uuid, {
      uuid: known.uuid,
      name: known.name,
      summary: summary === '' ? null : summary,
      label: isTyped ? (earlier?.label ?? null) : extracted.category,
      typing: isTyped ? (earlier?.typing ?? null) : typing,
      source,
    });
  }
  await insertEntities(tx, ownerId, created);
  await touchEntities(tx, ownerId, [...touched.values()]);
  return { mentioned: [...new Set(uuidOf.values())], uuidOf };
}

/** Writes facts. @returns uuids of the facts that the Episode states or ended */
export async function writeExtractedFacts(
  tx: WriteTx,
  { ingest, now }: Place,
  extraction: Extraction,
  uuidOf: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { episodeUuid, saidAt, ownerId } = ingest;
  const facts = extraction.facts.flatMap((one) => {
    const source = uuidOf.get(nameKey(one.source));
    const target = uuidOf.get(nameKey(one.target));
    // Two names that resolved to one entity make no fact.
    return source === undefined || target === undefined || source === target
      ? []
      : [{ ...one, source, target }];
  });
  const related = await listRelatedFacts(tx, ownerId, {
    facts: facts.map(({ source, target }) => ({ source, target })),
    names: [...new Set(facts.map(({ relation }) => relation))].flatMap(rivalNames),
    uuids: [...extraction.repeated.values(), ...[...extraction.ended.values()].flat()],
  });
  const { created, repeated, ended } = planFacts(facts, related, {
    extraction,
    saidAt,
    now,
    groupId: userGroupOf(ownerId),
    episodeUuid,
    uuidOf: ({ source, target, relation, fact }) =>
      derivedId('fact', episodeUuid, source, target, relation, nameKey(fact)),
  });
  const fresh = new Set(created.map(({ uuid }) => uuid));
  await writeFacts(tx, {
    ownerId,
    episodeUuid,
    saidAt,
    now,
    created,
    repeated: [...repeated],
    ended: [...ended.values()],
  });
  const changed = [...created, ...related].filter(({ uuid }) => fresh.has(uuid) || ended.has(uuid));
  const ends = changed.flatMap(({ sourceUuid, targetUuid }) => [sourceUuid, targetUuid]);
  await tellSummaries(tx, ends, now);
  return [...new Set([...fresh, ...repeated, ...ended.keys()])];
}

function statedIn(ingest: Ingest): StatedIn {
  const { speaker, ownerName } = ingest;
  const saidBy = nameForModel(speaker, ownerName);
  return { ...ingest, saidBy, isOwner: speaker === 'user' };
}

async function finish(
  deps: MemoryGraphDeps,
  tx: WriteTx,
  ingest: Ingest,
  end: {
    readonly status: string;
    readonly runId: string | null;
    readonly entityUuids: readonly string[];
    readonly factUuids: readonly string[];
    readonly faults: readonly string[];
  },
): Promise<void> {
  const { episodeUuid, alternativeId } = ingest;
  const { entityUuids, ...rest } = end;
  await finishIngest(tx, {
    ...rest,
    episodeUuid,
    now: instant(deps.clock),
    mentions: entityUuids.map((entityUuid) => ({
      entityUuid,
      uuid: derivedId('mention', episodeUuid, entityUuid),
    })),
    entry: memoryGraphEntry(deps, ingest, 'episode.extracted', {
      ...end,
      episodeUuid,
      alternativeId,
    }),
  });
}

/** Ends the ingest of an empty or uncompleted alternative without extraction. */
export async function skipExtraction(deps: MemoryGraphDeps, alternativeId: string): Promise<void> {
  await writeAndWake(deps, async (tx) => {
    const ingest = await findIngest(tx, alternativeId);
    if (ingest === null || ingest.endedAt !== null) return;
    const nothing = { runId: null, entityUuids: [], factUuids: [], faults: [] };
    await finish(deps, tx, ingest, { ...nothing, status: 'nothing to read' });
    await deleteWork(tx, [extractionItem(ingest)]);
  });
}

/**
 * Copies the mentions of the original to a fork's copy, without another extraction.
 * @returns false while the extraction of the original is open
 */
export async function copyExtraction(
  deps: MemoryGraphDeps,
  {
    alternativeId,
    copiedFromId,
  }: { readonly alternativeId: string; readonly copiedFromId: string },
): Promise<boolean> {
  return writeAndWake(deps, async (tx) => {
    const ingest = await findIngest(tx, alternativeId);
    if (ingest === null || ingest.endedAt !== null) return true;
    const { episodeUuid, ownerId, conversationId } = ingest;
    await lockResources(tx, [ownerId, conversationId]);
    const copied = await copyMentions(tx, { fromId: copiedFromId, episodeUuid });
    if (copied === null) return false;
    await copyStatements(tx, { fromId: copiedFromId, episodeUuid });
    const { isWithdrawn, ...findings } = copied;
    await finish(deps, tx, ingest, { ...findings, status: 'copied', runId: null, faults: [] });
    if (isWithdrawn) await settleEpisodes(tx, ownerId, [episodeUuid], instant(deps.clock));
    await deleteWork(tx, [extractionItem(ingest)]);
    return true;
  });
}
