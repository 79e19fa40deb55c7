// The types of the API, under the names that the pages use. They come from docs/openapi.json.

import type { components } from './schema.ts';
import type { Part, Parts } from '../sigil.ts';

type S = components['schemas'];

type Drawn = { parts?: Parts | null; hue?: number };

export type Failure = S['Failure'];
export type Party = S['Party'];
export type Diagnostic = S['Diagnostic'] & { file?: string | null };
export type Finding = S['Finding'];
export type Traits = S['Traits'];
export type LastChange = S['LastChange'] & { summary?: string | null };
export type AgentSummary = Omit<S['AgentSummary'], 'last_change'> &
  Drawn & {
    last_change: LastChange | null;
    scope?: string;
    display_name?: string | null;
    tone?: string[];
    problems?: { errors: number; warnings: number };
    first_problem?: string | null;
    proposals?: number;
    grade?: string | null;
    findings?: number;
    worst_finding?: { rule: string; message: string; file: string; line: number } | null;
    traits?: { baseline: Traits; effective: Traits } | null;
    unrecorded_change?: string | null;
  };
export type AgentList = { agents: AgentSummary[] };
export type InspectedSoul = S['InspectedSoul'] & Drawn;
export type Companion = { file: string; text: string | null; bytes: number; raw_digest: string };
export type SoulText = S['SoulText'] & Drawn & { companions?: Companion[] };
export type RecordedChange = S['RecordedChange'];
export type Revision = S['HistoryEntry'] & { parts?: Parts | null; changed_parts?: Part[]; loosens?: boolean };
export type HistoryPage = Omit<S['HistoryPage'], 'revisions'> & { revisions: Revision[]; hue?: number; current_parts?: Parts | null };
export type SoulChange = S['SoulChange'] & { part?: Part | null; loosens?: boolean };
export type DiffSide = S['DiffSide'] & { parts?: Parts | null };
export type SoulDiff = Omit<S['SoulDiff'], 'from' | 'to' | 'changes'> & {
  from: DiffSide;
  to: DiffSide;
  changes: SoulChange[];
  changed_parts?: Part[];
  loosens?: boolean;
  summary?: string | null;
};
export type RollbackPlan = Omit<S['RollbackPlan'], 'diff'> & { diff: SoulDiff };
export type Prompt = S['Prompt'];
export type PromptLayer = S['PromptLayer'];
export type ScanReport = S['ScanReport'];
export type ScannedTarget = S['ScannedTarget'];
export type RuleList = S['RuleList'];
export type PersonaDetail = S['PersonaDetail'];
export type PersonaStep = S['PersonaStep'];
export type PersonaHistoryPage = S['PersonaHistoryPage'];
export type PersonaOverlays = S['PersonaOverlays'];
export type PersonaAdaptation = S['PersonaAdaptation'];
export type MemorySearchPage = S['MemorySearchPage'];
export type MemorySearchResult = S['MemorySearchResult'];
export type MemorySection = S['MemorySection'];
export type MemoryStatus = S['MemoryStatus'];
export type MemoryRemoval = S['MemoryRemoval'];
export type MemoryAddition = S['MemoryAddition'];
export type LiveRun = { id: string; task_id: string; state: string; claimed_at: string; lease_expires_at: string };
export type ListedSession = S['ListedSession'] & Drawn & { current_parts?: Parts | null; run?: LiveRun | null };
export type SessionPage = { sessions: ListedSession[]; next_cursor: string | null };
export type TaskRun = {
  id: string;
  session_id: string;
  state: string;
  soul_digest: string | null;
  claimed_at: string;
  lease_expires_at: string;
  finished_at: string | null;
};
export type Task = S['Task'] & { run?: TaskRun | null };
export type TaskPage = { tasks: Task[]; next_cursor: string | null };
export type LibraryEntry = S['LibraryEntry'] & Drawn & { digest?: string | null; updatedAt?: string | null };
export type LibraryPage = Omit<S['LibraryPage'], 'souls'> & { souls: LibraryEntry[] };
export type LibrarySoul = S['LibrarySoul'] & Drawn & { text?: string; rawDigest?: string };
export type LibrarySelection = S['LibrarySelection'];
export type DeliveryReport = S['DeliveryReport'];
export type DeliveryRow = S['DeliveryRow'];
export type EventKind = S['EventKind'];
export type EventChange = { summary: string | null; parts: Parts | null; changed_parts: Part[]; loosens: boolean; hue: number };
export type SoulEvent = S['Event'] & {
  trait?: string | null;
  delta?: number | null;
  mood?: string | null;
  change?: EventChange | null;
};
export type EventPage = { events: SoulEvent[]; next: number; previous?: number | null };
export type AuditReport = S['AuditReport'];
export type DoctorReport = S['DoctorReport'];
export type DoctorCheck = S['DoctorCheck'];
export type Token = S['Token'];
export type TokenList = S['TokenList'];
export type NewToken = S['NewToken'];
export type Proposal = S['Proposal'];
export type ProposalPage = S['ProposalPage'];
export type ProposalAnswer = Omit<S['ProposalAnswer'], 'diff'> & { diff: { changes: SoulChange[]; text: string } };
export type Whoami = {
  name: string;
  actor: Party;
  authority: 'owner' | 'anybody' | 'token';
  role: 'viewer' | 'author' | 'admin' | null;
  grants: string[];
  transport: string;
  token_id: string | null;
  agent: string | null;
};

export type MergeSide = { digest: string | null; valid: boolean; parts: Parts | null; changed_parts?: Part[]; changes?: SoulChange[] };
export type MergeQuestion = {
  id: string;
  place: string;
  name: string;
  part: Part | null;
  base: string;
  ours: string;
  theirs: string;
  both: string | null;
  answer: string | null;
  loosens: string[];
};
export type MergeAnswer = 'ours' | 'theirs' | 'both' | 'base' | { text: string };
export type Merge = {
  text: string;
  complete: boolean;
  undecided: number;
  valid: boolean;
  digest: string | null;
  parts: Parts | null;
  hue: number;
  diagnostics: Diagnostic[];
  lines: { origin: 'both' | 'ours' | 'theirs' | 'question' | 'hand'; question?: string; text: string }[];
  merged: (SoulChange & { side: 'ours' | 'theirs' })[];
  questions: MergeQuestion[];
  base: MergeSide;
  ours: MergeSide;
  theirs: MergeSide;
};
