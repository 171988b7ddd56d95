export * from './enrich-entity.ts';
export * from './execute-process.ts';
export * from './fire-schedule.ts';
export * from './ingest-turn.ts';
export * from './run-job.ts';
