/** Stands for the workflow of runs where its code has a defect: each workflow task fails. */
export async function executeProcess(): Promise<void> {
  throw new TypeError('a defect of the workflow');
}
