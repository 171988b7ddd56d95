/** What the contract has and later issues bring. Take a name out when its area is done; nothing else may be missing. */
export const LATER: Readonly<Record<string, readonly string[]>> = {
  'conversations (issue 4)': `
   
  `
    .trim()
    .split(/\s+/),
  'the record: raw streams, call graph, metrics (issue 5)': `
   
  `
    .trim()
    .split(/\s+/),
  'the memory graph and schedules (issue 6)': `
    ConversationEvent
  `
    .trim()
    .split(/\s+/),
  'agent memory and jobs (issue 7)': `
   
  `
    .trim()
    .split(/\s+/),
};
