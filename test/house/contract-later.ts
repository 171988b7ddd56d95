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
    CompressInput Conversation.compressionsSinceIntrospection Conversation.summaries
    ConversationEvent CreateSummaryInput InjectIntrospectionInput Introspection IntrospectionAdded
    IntrospectionPayload MemorySettings MemorySettingsPayload MergeEntitiesInput
    Mutation.compressConversation Mutation.createSummary Mutation.deleteIntrospection
    Mutation.deleteSummary Mutation.enrichEntity Mutation.injectIntrospection
    Mutation.mergeEntities Mutation.rebindIntrospection Mutation.rebindSummary
    Mutation.triggerIntrospection Mutation.updateMemorySettings Query.introspections
    Query.memorySettings Query.search RebindContentInput Reranker SearchHit SearchInput SearchKind
    Summary SummaryAdded SummaryPayload UpdateMemorySettingsInput
  `
    .trim()
    .split(/\s+/),
  'agent memory and jobs (issue 7)': `
   
  `
    .trim()
    .split(/\s+/),
};
