// The pages of one agent.

import { useGet } from '../../api/query.ts';
import type { AgentList } from '../../api/types.ts';
import type { AgentTab } from '../../router.ts';
import { Edit } from '../edit/Edit.tsx';

export function AgentPage({ name, tab }: { name: string; tab: AgentTab }) {
  const agent = useGet<AgentList>('/api/agents?summaries=true').data?.agents.find((one) => one.name === name) ?? null;
  switch (tab) {
    default:
      return <Edit name={name} agent={agent} />;
  }
}
