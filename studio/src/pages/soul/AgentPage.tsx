// The pages of one agent.

import { useGet } from '../../api/query.ts';
import type { AgentList } from '../../api/types.ts';
import { later } from '../../components/Later.tsx';
import type { AgentTab } from '../../routes.ts';
import { Edit } from '../edit/Edit.tsx';
import { History } from '../history/History.tsx';
import { Prompt } from '../prompt/Prompt.tsx';
import { Scan } from '../scan/Scan.tsx';

const Delivery = later('Delivery');
const Persona = later('Persona');
const AgentSessions = later('AgentSessions');

export function AgentPage({ name, tab }: { name: string; tab: AgentTab }) {
  const agent = useGet<AgentList>('/api/agents?summaries=true').data?.agents.find((one) => one.name === name) ?? null;
  switch (tab) {
    case 'prompt':
      return <Prompt name={name} />;
    case 'history':
      return <History name={name} />;
    case 'scan':
      return <Scan name={name} />;
    case 'persona':
      return <Persona name={name} />;
    case 'sessions':
      return <AgentSessions name={name} />;
    case 'delivery':
      return <Delivery name={name} />;
    default:
      return <Edit name={name} agent={agent} />;
  }
}
