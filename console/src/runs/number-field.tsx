// The index of the package imports a validator that this console does not have.
import RoundingField from '@rjsf/core/lib/components/fields/NumberField.js';
import StringField from '@rjsf/core/lib/components/fields/StringField.js';
import type { FieldProps } from '@rjsf/utils';
import { isBigNumeral } from '../../../packages/client/src/exact-json.ts';

/**
 * A field for numbers that loses no digit: one beyond 2^53 becomes the text of its digits, which
 * the API takes for a number. The form's own field would round it.
 */
export function NumberField(props: FieldProps) {
  const { registry, onChange } = props;
  const fields = { ...registry.fields, StringField: TypedText };
  const inner = { ...props, registry: { ...registry, fields }, onExact: onChange };
  return <RoundingField {...inner} />;
}

/** The input of the form's own field, with the text as it was typed. */
function TypedText({
  onExact,
  ...props
}: FieldProps & { readonly onExact?: FieldProps['onChange'] }) {
  const change: FieldProps['onChange'] = (text, ...rest) => {
    const isExact = typeof text === 'string' && isBigNumeral(text);
    (isExact ? (onExact ?? props.onChange) : props.onChange)(text, ...rest);
  };
  return <StringField {...props} onChange={change} />;
}
