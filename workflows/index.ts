export * from './execute-process.ts';
export * from './run-job.ts';
