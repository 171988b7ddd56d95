/** Stand for our workflows where their code has a defect: each workflow task fails. */
export async function executeProcess(): Promise<void> {
  throw new TypeError('a defect of the workflow');
}
export const ingestTurn = executeProcess;
export const runJob = executeProcess;
