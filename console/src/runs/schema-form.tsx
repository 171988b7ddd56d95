import { type Schema as Checked, Validator } from '@cfworker/json-schema';
// The index of the package imports a validator that this console does not have.
import Form, { type FormProps } from '@rjsf/core/lib/components/Form.js';
import {
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  type UiSchema,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';
import type { ReactNode } from 'react';
import { isBigNumeral } from '../../../packages/client/src/exact-json.ts';
import { NumberField } from './number-field.tsx';

/**
 * Checks forms without compiling code from schemas, which the page's content security policy
 * forbids. The API checks again.
 */
const validator: ValidatorType = {
  isValid: (schema, formData) => check(schema, formData).length === 0,
  rawValidation: (schema, formData) => ({ errors: check(schema, formData) as never }),
  validateFormData(formData, schema): ValidationData<unknown> {
    const errors: RJSFValidationError[] = check(schema, formData);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
};

/** A number beyond 2^53 is text, and fits as text or as a number. */
function check(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
  const json = JSON.stringify(formData === undefined ? {} : formData);
  const found = faultsIn(schema, JSON.parse(json));
  if (found.length === 0) return found;
  const isBig = (value: unknown) => typeof value === 'string' && isBigNumeral(value);
  return faultsIn(
    schema,
    JSON.parse(json, (_key, value: unknown) => (isBig(value) ? Number(value) : value)),
  );
}

function faultsIn(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
  const { errors } = new Validator(schema as Checked, '2020-12', false).validate(formData);
  return errors
    .filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
    .map(({ instanceLocation, error, keyword }) => {
      const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined;
      const property = [
        ...instanceLocation.split('/').slice(1),
        ...(missing === undefined ? [] : [missing]),
      ].join('.');
      const message = missing === undefined ? error : 'Fill this in.';
      return { name: keyword, property: `.${property}`, message, stack: `${property}: ${message}` };
    });
}

/** A form made from a JSON Schema. Long texts get a field of several lines. */
export function SchemaForm({
  schema,
  value,
  onChange,
  onSubmit,
  id,
  children,
}: {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Record<string, unknown>) => void;
  readonly onSubmit: (value: Record<string, unknown>) => void;
  readonly id: string;
  readonly children?: ReactNode;
}) {
  const props: FormProps = {
    schema: schema as RJSFSchema,
    uiSchema: uiSchemaOf(schema),
    validator,
    fields: { NumberField },
    formData: value,
    id,
    idPrefix: id,
    className: 'schema-form',
    showErrorList: false,
    noHtml5Validate: true,
    onChange: ({ formData }) => onChange(formData as Record<string, unknown>),
    onSubmit: ({ formData }) => onSubmit(formData as Record<string, unknown>),
  };
  return <Form {...props}>{children ?? <span />}</Form>;
}

const SHORT = /^(name|title|id|question|path|url|city|email|date|key|label)$/i;

function uiSchemaOf(schema: Readonly<Record<string, unknown>>): UiSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, unknown>);
  return {
    'ui:submitButtonOptions': { norender: true },
    ...Object.fromEntries(
      properties
        .filter(([name, property]) => {
          const { type, format, enum: options } = property as Record<string, unknown>;
          return (
            type === 'string' && format === undefined && options === undefined && !SHORT.test(name)
          );
        })
        .map(([name]) => [name, { 'ui:widget': 'textarea', 'ui:options': { rows: 5 } }]),
    ),
  };
}
