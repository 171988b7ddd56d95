import type { PageArgs } from '../common/page.ts';
import { notFound, type Problem, problem } from '../common/refusal.ts';
import { checkDescription, checkName } from './text-checks.ts';

/** What both kinds of template have in common: their structure never changes, their label may (C-07). */
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

export interface TemplateLabel {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly description: string | null;
  readonly shared: boolean;
  readonly archived: boolean;
  readonly updatedAt: string;
}

export function checkUpdateTemplate(input: UpdateTemplate): Problem[] {
  return [
    ...(input.name != null ? checkName(input.name) : []),
    ...checkDescription(input.description),
  ];
}

export function applyUpdate<T extends TemplateLabel>(
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

/** Nothing new comes from an archived template, nor from one that is not visible. */
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
