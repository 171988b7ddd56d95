import { z } from 'zod';
import type { PageArgs } from '../../common/page.ts';
import { notFound, type Problem, problem } from '../../common/refusal.ts';
import { Operation, SERVICE_TYPES } from '../../operations/operation.ts';
import { PROTOCOLS } from '../../operations/operation-type.ts';
import { jsonText, textOrNull } from '../stored.ts';
import { checkDescription, checkName } from '../text-checks.ts';

/** A change of a template of either kind. Its structure can't change; absent fields stay. */
export interface UpdateTemplate {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly shared?: boolean | null | undefined;
  readonly archived?: boolean | null | undefined;
}

export interface TemplateFilter extends PageArgs {
  /** Absent: false (S4-STPL-03). */
  readonly includeArchived?: boolean | null | undefined;
}

/** Fields that both kinds of template have, beside their structure. */
export const TemplateFields = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: textOrNull,
  shared: z.boolean(),
  archived: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type TemplateFields = z.infer<typeof TemplateFields>;

export function checkUpdateTemplate(input: UpdateTemplate): Problem[] {
  return [
    ...(input.name != null ? checkName(input.name) : []),
    ...checkDescription(input.description),
  ];
}

export function applyUpdate<T extends TemplateFields>(
  template: T,
  input: UpdateTemplate,
  now: string,
): T {
  return {
    ...template,
    name: input.name ?? template.name,
    description: input.description === undefined ? template.description : input.description,
    shared: input.shared ?? template.shared,
    archived: input.archived ?? template.archived,
    updatedAt: now,
  };
}

/**
 * An archived template can't be used for new resources. A template that is not visible is
 * NOT_FOUND.
 */
export function checkUsableTemplate(
  noun: string,
  field: string,
  template: { readonly archived: boolean } | null,
): Problem[] {
  if (template === null) return [notFound(noun, [field])];
  return template.archived
    ? [problem('STATE', [field], `This ${noun} is archived; nothing new is made from it.`)]
    : [];
}

/** A blueprint. Services copy it and never link to it (S4-STPL). */
export const ServiceTemplate = TemplateFields.extend({
  type: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  connectionSchema: jsonText,
  requiresSecret: z.boolean(),
});
export type ServiceTemplate = z.infer<typeof ServiceTemplate>;

/** A blueprint. Tools copy it and never link to it (S4-TTPL). */
export const ToolTemplate = TemplateFields.extend({
  operation: jsonText.pipe(Operation),
  inputSchema: jsonText,
  outputSchema: jsonText,
});
export type ToolTemplate = z.infer<typeof ToolTemplate>;
