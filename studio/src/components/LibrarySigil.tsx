// The face of a library soul that is known by its id alone.

import { soulPath } from '../api/client.ts';
import { useGet } from '../api/query.ts';
import type { LibrarySoul } from '../api/types.ts';
import { hue } from '../sigil.ts';
import { Sigil } from './Sigil.tsx';

export function LibrarySigil({ id, size }: { id: string; size: number }) {
  const soul = useGet<LibrarySoul>(soulPath(id)).data;
  return <Sigil kind="library" parts={soul?.parts ?? null} digest={soul?.digest ?? null} hue={soul?.hue ?? hue('home', 'library', id)} size={size} />;
}
