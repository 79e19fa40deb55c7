// Small parts that every page uses.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './Icon.tsx';

export function Segmented<T extends string>({ label, value, options, onChange, class: extra = '' }: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  class?: string;
}) {
  return (
    <div class={`seg ${extra}`} role="group" aria-label={label}>
      {options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onChange(key)}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** The filter or search of a page: `/` focuses it. */
export function SearchField({ label, placeholder, value, onInput, big = false, inputRef }: {
  label: string;
  placeholder: string;
  value: string;
  onInput: (value: string) => void;
  big?: boolean;
  inputRef?: (element: HTMLInputElement | null) => void;
}) {
  return (
    <label class={big ? 'field big' : 'field'}>
      <span class="vh">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        data-search
        placeholder={placeholder}
        value={value}
        autocomplete="off"
        spellcheck={false}
        {...(inputRef ? { ref: inputRef } : {})}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

export function TextField({ label, value, onInput, placeholder = '', hint, mono = false, required = false, type = 'text', autofocus = false }: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  hint?: ComponentChildren;
  mono?: boolean;
  required?: boolean;
  type?: 'text' | 'password' | 'number';
  autofocus?: boolean;
}) {
  const id = useId();
  return (
    <div class="stack-1">
      <label class="t-lab" for={id}>
        {label}
      </label>
      <span class="field">
        <input
          id={id}
          {...({ type } as { type: 'text' })}
          step="any"
          class={mono ? 'mono' : ''}
          value={value}
          placeholder={placeholder}
          required={required}
          autofocus={autofocus}
          autocomplete="off"
          aria-describedby={hint ? `${id}-hint` : undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </span>
      {hint && (
        <span class="t-cap dimmer" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** Options as radio buttons that look like cards. */
export function Choice<T extends string>({ label, value, options, onChange, class: extra = 'stack-2' }: {
  label: string;
  value: T | null;
  options: readonly { value: T; title: ComponentChildren; text?: ComponentChildren }[];
  onChange: (value: T) => void;
  class?: string;
}) {
  const name = useId();
  return (
    <div class={extra} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} class="option">
          <input type="radio" class="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span class="stack-1">
            <b>{option.title}</b>
            {option.text}
          </span>
        </label>
      ))}
    </div>
  );
}

export function Badge({ tone, icon, children }: { tone?: 'ok' | 'warn' | 'error' | 'accent' | 'line'; icon?: 'check' | 'warn' | 'error' | 'chain'; children: ComponentChildren }) {
  return (
    <span class={tone ? `badge ${tone}` : 'badge'}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

export function Grade({ grade }: { grade: string }) {
  const tone = grade.startsWith('A') || grade.startsWith('B') ? '' : grade.startsWith('C') ? ' c' : ' d';
  return (
    <span class={`grade${tone}`} title={`Grade ${grade} of the scanner`}>
      {grade}
    </span>
  );
}

/** A bar from 0 to 1. */
export function Meter({ value, hue }: { value: number; hue?: number | undefined }) {
  return (
    <svg class={hue === undefined ? 'meter' : `meter hue-${hue}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="m-bg" width="100" height="6" />
      <rect class="m-v" width={Math.max(0, Math.min(1, value)) * 100} height="6" />
    </svg>
  );
}
