/** The model of the shipped LLM Tools without a switch, in examples/system.yaml. It only quotes. */
export const LOCAL_MODEL = 'local-extractive-1';
