/** A tab that GraphiQL opens at the first visit; later it opens the user's own tabs again. */
interface Tab {
  readonly query: string;
  /** JSON text. */
  readonly variables: string;
}

const tab = (query: string, variables: Readonly<Record<string, unknown>>): Tab => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

const PARAGRAPHS = [
  'Marie Curie was born in Warsaw in 1867. She moved to Paris and studied physics at the Sorbonne.',
  'With her husband Pierre Curie she found polonium and radium. In 1903 they shared a Nobel Prize.',
];

const TOUR = tab(
  `# The tour: a Process that shows what Processes can do. Place the cursor in an
# operation and press Ctrl-Enter. Copy ids from the answers into Variables below.

# 1. Who are you, and which id has the Process "tour"?
query FindTour {
  viewer { name roles }
  processes(query: "tour") { nodes { id name description owner { id name } } }
}

# 2. Start it.
mutation RunTour($processId: ID!, $context: JSONObject!) {
  startProcessRun(input: { processId: $processId, context: $context }) {
    run { id }
    userErrors { code message path }
  }
}

# 3. Watch it. The last answer has the output.
subscription WatchTour($runId: ID!) {
  processRun(id: $runId) { status steps { stepId status } output error { message } }
}
`,
  {
    processId: 'PROCESS_ID',
    runId: 'RUN_ID',
    context: {
      title: 'A laboratory in a shed',
      question: 'Who worked with Marie Curie?',
      text: PARAGRAPHS.join('\n\n'),
    },
  },
);

const CHAT = tab(
  `# A conversation with the shipped Process "chat".

# 1. Its id.
query FindChat {
  processes(query: "chat") { nodes { id name owner { id name } } }
}

# 2. A conversation.
mutation StartConversation {
  createConversation(input: { title: "First talk" }) {
    conversation { id }
    userErrors { code message path }
  }
}

# 3. Say something. The Process answers.
mutation Say($conversationId: ID!, $processId: ID!, $content: String!) {
  sendMessage(
    input: { conversationId: $conversationId, processId: $processId, content: $content }
  ) {
    run { id }
    userErrors { code message path }
  }
}

# 4. Read what was said, and what a model is shown next.
query ReadConversation($conversationId: ID!) {
  conversation(id: $conversationId) {
    activePath { speaker content }
    workingMemory { totalTokens messages { role content } }
  }
}
`,
  {
    processId: 'PROCESS_ID',
    conversationId: 'CONVERSATION_ID',
    content: 'Ada lives in Turin. Where does Ada live?',
  },
);

const FIRST_PROCESS = tab(
  `# A Process of your own: a Service, a Tool on it, a Process that calls the Tool.

# 1. A Service says where work runs.
mutation MakeService($service: CreateServiceInput!) {
  createService(input: $service) { service { id } userErrors { code message path } }
}

# 2. A Tool is one operation of a Service.
mutation MakeTool($serviceId: ID!, $inputs: JSONSchema!) {
  createTool(input: {
    name: "summarise"
    serviceId: $serviceId
    connectionParams: { endpoint: "http://127.0.0.1:11500/v1", model: "local-extractive-1" }
    operation: { llmCall: { promptTemplate: "Summarise in one sentence:\\n\\n{{text}}" } }
    inputSchema: $inputs
    outputSchema: { type: "string" }
  }) { tool { id } userErrors { code message path } }
}

# 3. A Process orders the work.
mutation MakeProcess($toolId: ID!) {
  createProcess(input: {
    name: "headline"
    initialContext: ["article"]
    steps: [{ stepId: "summarise", calls: { toolId: $toolId }
              inputs: { text: "{context.article}" }, output: { variable: "summary" } }]
    outputTemplate: "In short: {{summary}}"
  }) { process { id } userErrors { code message path } }
}

# 4. Run it.
mutation RunProcess($processId: ID!, $context: JSONObject!) {
  startProcessRun(input: { processId: $processId, context: $context }) {
    run { id }
    userErrors { code message path }
  }
}

# 5. Watch it. The last answer has the output, "In short: …".
subscription WatchRun($runId: ID!) {
  processRun(id: $runId) { status output error { message } }
}
`,
  {
    serviceId: 'SERVICE_ID',
    toolId: 'TOOL_ID',
    processId: 'PROCESS_ID',
    runId: 'RUN_ID',
    service: {
      name: 'my model',
      type: 'LLM_PROVIDER',
      protocol: 'HTTP',
      requiresSecret: false,
      connectionSchema: {
        type: 'object',
        required: ['endpoint', 'model'],
        properties: { endpoint: { type: 'string', format: 'uri' }, model: { type: 'string' } },
      },
    },
    inputs: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    context: { article: PARAGRAPHS[0] },
  },
);

/** Each holds the operations of one walk, in order, with variables for all of them. */
export const GRAPHIQL_TABS: Tab[] = [TOUR, CHAT, FIRST_PROCESS];

/** The letter A on a dark square, as SVG: the logo of the page. */
export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32"><rect ' +
  'width="32" height="32" rx="7" fill="#1f2937"/><path d="M9 24 16 7l7 17M11.5 18h9" ' +
  'fill="none" stroke="#fff" stroke-width="3"/></svg>';

export const FAVICON = `data:image/svg+xml,${encodeURIComponent(LOGO)}`;
