// Events as sentences.

import type { EventChange, SoulEvent } from './api/types.ts';
import { signed, traitName, who } from './words.ts';

export type Happened = {
  /** Who or what it happened to; shown strong. */
  subject: string;
  /** What happened, after the subject. */
  text: string;
  /** More, after a dot; may be empty. */
  detail: string;
  /** The id of what it left behind. */
  id: string;
};

export function happened(event: SoulEvent, change?: EventChange): Happened {
  const subject = event.agent ?? event.soul ?? '';
  const by = who(event.actor, event.origin);
  const summary = change?.summary ?? '';
  const say = (text: string, detail = '', id = event.revision ?? event.session ?? event.task ?? event.run ?? ''): Happened => ({ subject, text, detail, id });
  switch (event.kind as string) {
    case 'soul.put':
      return summary === 'created' || event.origin.kind === 'seed' ? say(`was created by ${by}`) : say(`was changed by ${by}`, summary);
    case 'soul.delete':
      return say(`was deleted by ${by}`);
    case 'soul.rollback':
      return say(`was rolled back by ${by}`, summary);
    case 'soul.adopt':
      return say('was edited outside Soulkeeper', summary || 'recorded as it is');
    case 'soul.edited':
      return say('was edited outside Soulkeeper', 'not on record yet', '');
    case 'soul.dropped':
      return say('lost a file', 'a copy of the text is in the record');
    case 'soul.poison': {
      const first = event.findings?.[0];
      const count = event.findings?.length ?? 0;
      return say('has prompt injection or other findings', first ? `${first.rule} in ${first.file}, line ${first.line}${count > 1 ? ` and ${count - 1} more` : ''}` : '', 'soul.poison');
    }
    case 'persona.adapt':
      return say(`was adjusted by ${by}`, event.trait ? `${traitName(event.trait)}${event.delta == null ? '' : ` ${signed(event.delta)}`}` : '');
    case 'persona.revert':
      return say(`was reverted to earlier traits by ${by}`);
    case 'persona.mood':
      return say('changed its mood', event.mood ?? '');
    case 'persona.overlay':
      return say('has other overlays');
    case 'library.select':
      return event.soul ? say(`was selected by ${by}`, 'sessions without a soul use it') : { subject: 'The library', text: `has no selected soul any more`, detail: '', id: '' };
    case 'session.start':
      return event.agent ? say('started a session') : { ...say('was given to a new session'), subject: subject === 'built-in' ? 'The built-in soul' : subject };
    case 'session.spawn':
      return say('was spawned by another session');
    case 'session.refresh':
      return say('was refreshed in its session');
    case 'session.resume':
      return say('resumed a session');
    case 'session.stop':
      return say('stopped a session');
    case 'task.add':
      return subject ? say('has a new task', '', event.task ?? '') : { subject: 'A task', text: `was added by ${by}`, detail: 'for any session', id: event.task ?? '' };
    case 'run.claim':
      return say('claimed a task', '', event.run ?? '');
    case 'run.renew':
      return say('renewed the lease of a run', '', event.run ?? '');
    case 'run.finish':
      return say('finished a run', '', event.run ?? '');
    case 'run.expire':
      return say('lost a run: its lease expired', '', event.run ?? '');
    case 'proposal.create':
      return say(`has a proposed change by ${by}`, 'it waits for review', event.proposal ?? '');
    case 'proposal.accept':
      return say(`has a proposal accepted by ${by}`, '', event.proposal ?? '');
    case 'proposal.reject':
      return say(`has a proposal rejected by ${by}`, '', event.proposal ?? '');
    case 'token.create':
      return { subject: 'A token', text: `was created by ${by}`, detail: '', id: event.token ?? '' };
    case 'token.revoke':
      return { subject: 'A token', text: `was revoked by ${by}`, detail: '', id: event.token ?? '' };
    case 'memory.add':
      return say(`has a new note by ${by}`);
    case 'memory.forget':
      return say(`had a section of its memory removed by ${by}`);
    case 'memory.init':
      return say(`had its memory connected to a remote by ${by}`);
    case 'memory.pull':
      return say('took its memory from the remote');
    case 'memory.push':
      return say('sent its memory to the remote');
    case 'memory.fail':
      return say('could not sync its memory');
    case 'sync.init':
      return { subject: 'Sync', text: `was set up by ${by}`, detail: '', id: '' };
    case 'sync.pull':
      return { subject: 'Sync', text: 'pulled the remote', detail: '', id: '' };
    case 'sync.publish':
      return subject ? say(`was published by ${by}`) : { subject: 'Sync', text: 'published to the remote', detail: by, id: '' };
    case 'sync.conflict':
      return say('is in conflict with the remote', 'it waits for a person');
    case 'sync.resolve':
      return say(`had its conflict resolved by ${by}`);
    case 'sync.discard':
      return say(`was reset to the text of the remote by ${by}`);
    case 'sync.forget':
      return say('is no longer synced', by);
    case 'sync.delete':
      return say(`was deleted on the remote by ${by}`);
    case 'sync.move':
      return say(`was renamed by ${by}`);
    case 'sync.fail':
      return { subject: 'Sync', text: 'failed', detail: 'the page Sync says why', id: '' };
    case 'workspace.share':
      return { subject: 'The workspace', text: `was shared by ${by}`, detail: '', id: '' };
    case 'workspace.fork':
      return { subject: 'The workspace', text: `got a record of its own by ${by}`, detail: '', id: '' };
    case 'workspace.adopt':
      return { subject: 'The workspace', text: `was reconnected by ${by}`, detail: '', id: '' };
    case 'audit.repair':
      return { subject: 'The record', text: `was repaired by ${by}`, detail: '', id: '' };
    default:
      return { subject: subject || 'The record', text: event.kind.replace('.', ': '), detail: '', id: event.revision ?? '' };
  }
}

/** Kinds that make or remove a revision. */
export const changesSoul = (kind: string) => kind.startsWith('soul.') && kind !== 'soul.poison';
