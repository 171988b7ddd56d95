import {
  IconApi,
  IconDatabase,
  IconPlug,
  IconSitemap,
  IconSparkles,
  IconTool,
} from '@tabler/icons-react';
import type { OperationName } from '../api/client.ts';
import type { DefinedStepFragment } from '../generated/documents.ts';

const ICONS = {
  LlmCallOperation: IconSparkles,
  RestCallOperation: IconApi,
  McpCallOperation: IconPlug,
  GraphQueryOperation: IconDatabase,
} as const satisfies Record<OperationName, unknown>;

export function OperationIcon({
  type,
  size = 16,
}: {
  readonly type: string;
  readonly size?: number;
}) {
  const Icon = Object.hasOwn(ICONS, type) ? ICONS[type as keyof typeof ICONS] : IconTool;
  return <Icon size={size} className="icon" stroke={1.75} />;
}

/** The kind of thing that a step calls. */
export function StepIcon({ step }: { readonly step: DefinedStepFragment | null }) {
  if (step?.target.__typename === 'Process')
    return <IconSitemap size={16} className="icon" stroke={1.75} />;
  return (
    <OperationIcon
      type={step?.target.__typename === 'Tool' ? step.target.operation.__typename : ''}
    />
  );
}
