import { type ComponentType, lazy, Suspense, useEffect, useMemo } from 'react';
import { Provider } from 'urql';
import { Redirect, Route, Router, Switch } from 'wouter';
import { openApi } from './api/client.ts';
import { keepRenewing, provider, SIGNED_IN_PATH } from './api/oidc.ts';
import { session } from './api/session.ts';
import { useStore } from './api/store.ts';
import { LiveProvider } from './api/use-api.ts';
import { Home } from './home/home.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './shell/sign-in.tsx';
import { SignedIn } from './shell/signed-in.tsx';
import { guardLeaving } from './ui/leaving.ts';
import { Loading } from './ui/states.tsx';
import { Toasts } from './ui/toasts.tsx';
import { TooltipHost } from './ui/tooltip.tsx';
import { Working } from './ui/working.tsx';

function screen<Name extends string, Props>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
) {
  return lazy(async () => ({ default: (await load())[name] }));
}

const Runs = screen('Runs', () => import('./runs/runs.tsx'));
const RunPage = screen('RunPage', () => import('./runs/run-page.tsx'));
const ComparePage = screen('ComparePage', () => import('./runs/compare-page.tsx'));
const Conversations = screen('Conversations', () => import('./conversations/conversations.tsx'));
const Memory = screen('Memory', () => import('./memory/memory.tsx'));
const EntityPage = screen('EntityPage', () => import('./memory/entity-page.tsx'));
const Processes = screen('Processes', () => import('./processes/processes.tsx'));
const NewProcess = screen('NewProcess', () => import('./processes/new-process.tsx'));
const ProcessPage = screen('ProcessPage', () => import('./processes/process-page.tsx'));
const Catalog = screen('Catalog', () => import('./catalog/catalog.tsx'));
const ToolPage = screen('ToolPage', () => import('./catalog/tool-page.tsx'));
const ToolForm = screen('ToolForm', () => import('./catalog/tool-form.tsx'));
const DocsPage = screen('DocsPage', () => import('./shell/docs-page.tsx'));
const Operations = screen('Operations', () => import('./operations/operations.tsx'));

export function App() {
  const { signIns, refused } = useStore(session);
  // Another user gets another cache: nothing of the one before is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token is read when requests are sent
  const api = useMemo(openApi, [signIns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each sign-in has its own token
  useEffect(() => {
    if (provider !== null) void keepRenewing(provider);
  }, [signIns]);
  return (
    <Provider value={api.urql}>
      <LiveProvider value={api.live}>
        <Router
          base="/console"
          aroundNav={(navigate, to, options) => guardLeaving(() => navigate(to, options), to)}
        >
          <Shell key={signIns}>
            <ErrorBoundary>
              <Suspense fallback={<Loading />}>
                <Switch>
                  <Route path="/">
                    <Home />
                  </Route>
                  <Route path="/runs">
                    <Runs />
                  </Route>
                  <Route path="/runs/compare">
                    <ComparePage />
                  </Route>
                  <Route path="/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
                  <Route path="/conversations">
                    <Conversations id={null} />
                  </Route>
                  <Route path="/conversations/:id">{({ id }) => <Conversations id={id} />}</Route>
                  <Route path="/memory">
                    <Memory />
                  </Route>
                  <Route path="/memory/entities/:uuid">
                    {({ uuid }) => <EntityPage key={uuid} uuid={uuid} />}
                  </Route>
                  <Route path="/processes">
                    <Processes />
                  </Route>
                  <Route path="/processes/new">
                    <NewProcess />
                  </Route>
                  <Route path="/processes/:id">
                    {({ id }) => <ProcessPage key={id} id={id} />}
                  </Route>
                  <Route path="/catalog">
                    <Catalog />
                  </Route>
                  <Route path="/catalog/tools/new">
                    <ToolForm />
                  </Route>
                  <Route path="/catalog/tools/:id/edit">
                    {({ id }) => <ToolForm key={id} id={id} />}
                  </Route>
                  <Route path="/catalog/tools/:id">
                    {({ id }) => <ToolPage key={id} id={id} />}
                  </Route>
                  <Route path="/operations">
                    <Operations />
                  </Route>
                  <Route path="/docs/:page">{({ page }) => <DocsPage page={page} />}</Route>
                  <Route path="/docs">
                    <Redirect to="/docs/authoring" />
                  </Route>
                  <Route path={SIGNED_IN_PATH}>
                    <SignedIn />
                  </Route>
                  <Route path="/index.html">
                    <Redirect to="/" />
                  </Route>
                  <Route>
                    <NotFound />
                  </Route>
                </Switch>
              </Suspense>
            </ErrorBoundary>
          </Shell>
        </Router>
        <SignIn reason={refused} />
        <Working />
        <Toasts />
        <TooltipHost />
      </LiveProvider>
    </Provider>
  );
}
