export * from './execute-process.ts';
