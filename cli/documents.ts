// What the CLI asks the API. Plain documents: test/house validates each against the printed schema.

const RUN_FIELDS = /* GraphQL */ `
  fragment RunFields on ProcessRun {
    id processName processVersion status output startedAt createdAt completedAt
    error { code message stepId }
    usage { inputTokens outputTokens llmCalls toolCalls }
    steps { stepId index status attempt cached startedAt completedAt error { code message } }
  }
`;

export const FIND_PROCESSES = /* GraphQL */ `
  query FindProcesses($query: String) {
    processes(first: 50, query: $query) { nodes { id name version enabled initialContext owner { id } } }
    viewer { id }
  }
`;

export const GET_PROCESS = /* GraphQL */ `
  query GetProcess($id: ID!) { process(id: $id) { id name version enabled initialContext owner { id } } }
`;

export const START_RUN = /* GraphQL */ `
  mutation StartRun($input: StartProcessRunInput!) {
    startProcessRun(input: $input) { run { id } userErrors { code message path } }
  }
`;

export const GET_RUN = /* GraphQL */ `
  ${RUN_FIELDS}
  query GetRun($id: ID!) { processRun(id: $id) { ...RunFields } }
`;

export const WATCH_RUN = /* GraphQL */ `
  ${RUN_FIELDS}
  subscription WatchRun($id: ID!) { processRun(id: $id) { ...RunFields } }
`;

export const CANCEL_RUN = /* GraphQL */ `
  mutation CancelRun($id: ID!) {
    cancelProcessRun(id: $id, reason: "cancelled from the terminal") { run { id } userErrors { code message path } }
  }
`;

export const IMPORT_BUNDLE = /* GraphQL */ `
  mutation ImportBundle($document: String!, $dryRun: Boolean!) {
    importBundle(document: $document, dryRun: $dryRun) {
      created updated unchanged userErrors { code message path }
    }
  }
`;

export const EXPORT_BUNDLE = /* GraphQL */ `
  query ExportBundle($processIds: [ID!]) { exportBundle(processIds: $processIds) }
`;

export const GET_BLOB = /* GraphQL */ `
  query GetBlob($uri: String!, $offset: Int!, $length: Int!) {
    blob(uri: $uri, offset: $offset, length: $length) { size content nextOffset }
  }
`;

export const HEALTH = /* GraphQL */ `
  query Health {
    health { status neo4j temporal eventBus version }
    viewer { name roles }
    workers { type status }
  }
`;

const ANSWER_FIELDS = /* GraphQL */ `
  fragment AnswerFields on Alternative {
    id sequence content cacheStatus turn { id } run { id status error { code message } }
  }
`;

export const CREATE_CONVERSATION = /* GraphQL */ `
  mutation CreateConversation($input: CreateConversationInput!) {
    createConversation(input: $input) { conversation { id } userErrors { code message path } }
  }
`;

export const GET_TALK = /* GraphQL */ `
  query GetTalk($id: ID!) {
    conversation(id: $id) {
      id title defaultProcess { id name }
      activePath {
        id sequence speaker
        alternatives { id sequence isActive cacheStatus content }
      }
    }
  }
`;

export const SEND_MESSAGE = /* GraphQL */ `
  ${ANSWER_FIELDS}
  mutation SendMessage($input: SendMessageInput!) {
    sendMessage(input: $input) {
      agentTurn { activeAlternative { ...AnswerFields } } userErrors { code message path }
    }
  }
`;

export const GENERATE_TURN = /* GraphQL */ `
  ${ANSWER_FIELDS}
  mutation GenerateTurn($input: GenerateTurnInput!) {
    generateTurn(input: $input) {
      turn { activeAlternative { ...AnswerFields } } userErrors { code message path }
    }
  }
`;

export const ADD_ALTERNATIVE = /* GraphQL */ `
  ${ANSWER_FIELDS}
  mutation AddAlternative($input: AddAlternativeInput!) {
    addAlternative(input: $input) { alternative { ...AnswerFields } userErrors { code message path } }
  }
`;

export const ACTIVATE_ALTERNATIVE = /* GraphQL */ `
  mutation ActivateAlternative($id: ID!) {
    activateAlternative(id: $id) { alternative { id } userErrors { code message path } }
  }
`;

export const GET_ANSWER = /* GraphQL */ `
  ${ANSWER_FIELDS}
  query GetAnswer($id: ID!) { node(id: $id) { ... on Alternative { ...AnswerFields } } }
`;

export const FORK_CONVERSATION = /* GraphQL */ `
  mutation ForkConversation($input: ForkConversationInput!) {
    forkConversation(input: $input) { conversation { id } userErrors { code message path } }
  }
`;

export const GET_MEMORY = /* GraphQL */ `
  query GetMemory($id: ID!) {
    workingMemory(conversationId: $id) {
      totalTokens
      tokenBreakdown { immediatePath summaries activeEntities introspection }
      messages { role tokens content }
      excludedStale { turnId }
    }
  }
`;

export const INGEST_EVENTS = /* GraphQL */ `
  mutation IngestEvents($input: [MemoryEventInput!]!) {
    ingestEvents(input: $input) { created duplicates userErrors { code message path } }
  }
`;

const MEMORY_FIELDS = /* GraphQL */ `
  fragment MemoryFields on TocNode { nodeId level title bullets { text } }
`;

export const MEMORY_ROOT = /* GraphQL */ `
  ${MEMORY_FIELDS}
  query MemoryRoot($agentId: String) { tocRoot(agentId: $agentId) { ...MemoryFields } }
`;

export const MEMORY_NODE = /* GraphQL */ `
  ${MEMORY_FIELDS}
  query MemoryNode($nodeId: ID!, $agentId: ID) {
    tocNode(nodeId: $nodeId, agentId: $agentId) { ...MemoryFields parent { nodeId } }
  }
`;

export const MEMORY_SEGMENT = /* GraphQL */ `
  query MemorySegment($nodeId: ID!, $agentId: ID) {
    tocNode(nodeId: $nodeId, agentId: $agentId) {
      events(first: 100) { totalCount nodes { timestamp role eventType text } }
    }
  }
`;

export const BROWSE_MEMORY = /* GraphQL */ `
  ${MEMORY_FIELDS}
  query BrowseMemory($parentId: ID!, $limit: Int, $agentId: ID) {
    browseToc(parentId: $parentId, limit: $limit, agentId: $agentId) { nodes { ...MemoryFields } }
  }
`;

export const ASK_MEMORY = /* GraphQL */ `
  query AskMemory($input: SearchInput!) {
    search(input: $input) {
      kind
      tocNode { nodeId title startTime level bullets { text } }
      event { timestamp role text sessionId }
    }
  }
`;
