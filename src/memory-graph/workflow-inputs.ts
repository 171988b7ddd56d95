// Inputs of the workflows of the memory graph. Part of histories, so a field may be added, but
// never change its meaning.

export interface IngestTurnInput {
  readonly alternativeId: string;
  readonly queuePrefix: string;
}

export interface EnrichEntityInput {
  readonly entityUuid: string;
  readonly runId: string;
  readonly queuePrefix: string;
}
