//! The words of headings, by field and language.
//!
//! A phrase stands for every heading that contains it in a prominent place; see the parent module. Latin words are
//! compared without accents and without a plural `s`, so that one form of each is enough.

use crate::model::Field;

/// What headings of one language say about one field.
#[derive(Debug, Clone, Copy)]
pub struct HeadingWords {
    /// The field of a section under such a heading.
    pub field: Field,
    /// The language, as a BCP 47 tag.
    pub language: &'static str,
    /// Words and phrases.
    pub words: &'static [&'static str],
}

const fn row(field: Field, language: &'static str, words: &'static [&'static str]) -> HeadingWords {
    HeadingWords { field, language, words }
}

use Field::{
    BadExample, Collaboration, Escalation, GoodExample, Handoff, Limit, MemoryPolicy, MustAlways, MustNever,
    OutputFormat, Principle, Procedure, Role, Tone, Tool, User,
};

/// Every phrase that is understood.
#[rustfmt::skip]
pub const HEADING_WORDS: &[HeadingWords] = &[
    row(Role, "en", &[
        "who you are", "who i am", "who am i", "who are you", "who he is", "who she is", "who they are", "who we are", "what you are",
        "what i am", "identity", "role", "about me", "about you", "about yourself", "mission", "purpose", "persona", "character",
        "background", "backstory", "origin story", "origin", "biography", "bio", "expertise", "domain knowledge",
        "knowledge base", "specialty", "specialties", "specialization", "expert area", "areas of expertise", "capability",
        "capabilities", "competency", "competencies", "skill", "skills", "strengths", "responsibility",
        "responsibilities", "duties", "job", "job description", "what i do", "what you do", "what i can do", "what you can do", "self image", "nature",
        "core essence", "essence", "scope", "goal", "goals", "objective", "focus", "why i exist",
        "why you exist", "reason for being", "profile", "description", "overview", "archetype", "lore",
        "interest", "influence", "appearance", "self awareness", "tension", "contradiction", "favorite", "favourite",
    ]),
    row(Role, "zh", &["我是谁", "你是谁", "身份", "角色", "定位", "使命", "职责", "关于我", "人设", "背景", "专长", "专业领域", "能力", "擅长", "技能", "目标", "自我认知", "存在意义", "我能做什么", "我是誰", "你是誰", "職責", "專長", "外貌", "喜好", "喜欢", "自我介绍", "核心设定", "基础设定"]),
    row(Role, "ja", &["私は誰", "あなたは誰", "アイデンティティ", "役割", "使命", "ミッション", "自己紹介", "キャラクター", "プロフィール", "専門", "得意", "背景", "目的", "できること", "スキル"]),
    row(Role, "ko", &["나는 누구", "너는 누구", "당신은 누구", "당신은 누구인가", "나는 누구인가", "정체성", "역할", "사명", "임무", "미션", "자기소개", "캐릭터", "전문 분야", "전문성", "배경", "목적", "목표", "능력"]),
    row(Role, "es", &["quien eres", "quien soy", "quienes somos", "identidad", "rol", "papel", "mision", "proposito", "sobre mi", "acerca de mi", "personaje", "experiencia", "especialidad", "especialidades", "capacidad", "capacidades", "habilidad", "habilidades", "responsabilidad", "responsabilidades", "objetivo", "lo que haces", "que haces", "perfil"]),
    row(Role, "pt", &["quem voce e", "quem e voce", "quem sou", "quem eu sou", "quem sou eu", "identidade", "papel", "funcao", "missao", "proposito", "sobre mim", "personagem", "especialidade", "capacidade", "habilidade", "responsabilidade", "objetivo", "o que eu faco", "perfil"]),
    row(Role, "fr", &["qui tu es", "qui es tu", "qui je suis", "qui suis je", "qui vous etes", "identite", "role", "mission", "raison d etre", "a propos de moi", "personnage", "expertise", "competence", "specialite", "capacite", "responsabilite", "objectif", "profil"]),
    row(Role, "de", &["wer du bist", "wer bist du", "wer ich bin", "wer bin ich", "identitat", "rolle", "mission", "auftrag", "aufgabe", "aufgaben", "zweck", "uber mich", "charakter", "fachwissen", "expertise", "fahigkeiten", "kompetenzen", "kernkompetenz", "verantwortung", "ziel", "ziele", "selbstbild"]),
    row(Role, "ru", &["кто ты", "кто я", "кто вы", "кто такой", "идентичность", "личность", "роль", "миссия", "назначение", "предназначение", "обо мне", "персонаж", "экспертиза", "специализация", "компетенции", "навыки", "возможности", "обязанности", "задача", "задачи", "цель", "цели", "что я делаю", "что умею", "что я умею", "кто я есть", "внешность", "суть"]),

    row(Principle, "en", &[
        "core truth", "principle", "value", "belief", "what i believe", "what you believe", "what i value", "what you value", "what matters",
        "what i care about", "what you care about", "philosophy", "worldview", "world view", "opinions", "ethics", "ethos", "creed", "credo", "motto", "mantra",
        "tenet", "virtue", "mindset", "mental model", "conviction", "operating philosophy", "operating model",
        "how i think", "how you think", "how i work", "how you work", "how i operate", "how you operate", "working style", "work style",
        "approach", "judgment", "judgement", "decision making", "epistemics", "priorities", "priority", "guidelines",
        "guideline", "guiding question", "prime directive", "directive", "commitment", "attitude", "standard", "quality bar", "moral compass", "doctrine", "manifesto",
        "agency", "behavior", "behaviour", "heuristics", "truths", "way of working", "ways of working", "thinking", "autonomy", "north star",
        "trust", "what im about", "what i am about", "success metric", "success criteria", "definition of done", "decision", "craft",
        "best practice",
    ]),
    row(Principle, "zh", &["核心真理", "核心信念", "原则", "准则", "價值觀", "价值观", "价值", "信念", "理念", "哲学", "世界观", "思维方式", "思维", "思考方式", "工作方式", "做事方式", "行事风格", "工作风格", "行为方式", "行为", "决策", "优先级", "指导方针", "信条", "座右铭", "态度", "標準", "标准", "原則", "準則", "想法", "主见", "信任"]),
    row(Principle, "ja", &["原則", "価値観", "信念", "信条", "哲学", "世界観", "理念", "指針", "大切にしていること", "大切なこと", "基本姿勢", "行動指針", "考え方", "思考", "姿勢", "優先順位", "真実", "モットー", "コアバリュー"]),
    row(Principle, "ko", &["원칙", "가치관", "핵심 가치", "가치", "신념", "철학", "세계관", "핵심 진실", "진실", "신조", "태도", "행동 지침", "지침", "사고방식", "일하는 방식", "작업 방식", "우선순위", "판단"]),
    row(Principle, "es", &["principio", "valor", "valores", "creencia", "verdad", "verdades", "filosofia", "cosmovision", "etica", "credo", "lema", "mentalidad", "como trabajo", "como trabajas", "como pienso", "enfoque", "prioridad", "prioridades", "directriz", "directrices", "criterio", "comportamiento", "en que creo", "autonomia"]),
    row(Principle, "pt", &["principio", "valor", "valores", "crenca", "verdade", "filosofia", "visao de mundo", "etica", "credo", "lema", "mentalidade", "como trabalho", "como eu trabalho", "como voce trabalha", "como penso", "abordagem", "prioridade", "diretriz", "diretrizes", "criterio", "comportamento", "autonomia"]),
    row(Principle, "fr", &["principe", "valeur", "croyance", "verite", "philosophie", "vision du monde", "ethique", "credo", "devise", "mentalite", "comment je travaille", "comment tu travailles", "facon de travailler", "approche", "priorite", "directive", "comportement", "ce en quoi je crois", "autonomie"]),
    row(Principle, "de", &["prinzip", "prinzipien", "grundsatz", "grundsatze", "wert", "werte", "uberzeugung", "uberzeugungen", "wahrheit", "wahrheiten", "philosophie", "weltanschauung", "weltbild", "ethik", "leitsatz", "leitsatze", "leitlinien", "haltung", "arbeitsweise", "wie ich arbeite", "wie du arbeitest", "denkweise", "ansatz", "prioritat", "prioritaten", "verhalten", "woran ich glaube"]),
    row(Principle, "ru", &["принцип", "принципы", "ценность", "ценности", "убеждения", "истины", "философия", "мировоззрение", "этика", "кредо", "девиз", "во что я верю", "во что ты веришь", "как я работаю", "как ты работаешь", "как я думаю", "подход", "приоритет", "приоритеты", "установки", "поведение", "мышление", "стиль работы"]),

    row(Limit, "en", &[
        "boundary", "boundaries", "rule", "limit", "limits", "limitation", "constraint", "restriction", "red line", "hard line", "line i wont cross",
        "lines i wont cross", "guardrail", "guard rail", "hard stop", "non negotiable", "nonnegotiable", "safety", "security", "privacy",
        "confidentiality", "what im not", "what i am not", "what youre not", "what you are not", "what i dont do", "what you dont do",
        "what i wont do", "what you wont do", "what i do not do", "what you do not do", "what not to do", "things i dont do", "dos and donts", "do and dont", "donts",
        "dont", "do not", "wont", "refuse", "refusal", "out of scope", "off limit", "deal breaker", "dealbreaker", "anti pattern", "antipattern", "anti goal",
        "avoid", "permission", "policy", "policies", "compliance", "law", "laws", "iron law", "commandment", "prohibition", "obligation", "integrity rule", "what they would not do",
        "must follow",
    ]),
    row(Limit, "zh", &["边界", "界限", "底线", "红线", "规则", "规矩", "规范", "铁律", "限制", "约束", "安全", "隐私", "不做", "戒律", "纪律", "守则", "法则", "保密", "权限", "邊界", "規則", "規範", "鐵律", "約束", "隱私", "紅線", "底線", "纪律", "反模式", "注意事项"]),
    row(Limit, "ja", &["境界", "ルール", "規則", "制限", "制約", "限界", "一線", "安全", "セキュリティ", "プライバシー", "やらないこと", "しないこと", "掟", "鉄則", "約束", "規範", "守ること", "注意事項", "できないこと"]),
    row(Limit, "ko", &["경계", "규칙", "제한", "제약", "한계", "안전", "보안", "프라이버시", "개인정보", "하지 않는", "하지 않을", "철칙", "규범", "선을 넘지"]),
    row(Limit, "es", &["limite", "regla", "restriccion", "restricciones", "linea roja", "lineas rojas", "seguridad", "privacidad", "lo que no", "que no", "frontera", "no hacer", "politica", "norma"]),
    row(Limit, "pt", &["limite", "regra", "restricao", "restricoes", "linha vermelha", "linhas vermelhas", "seguranca", "privacidade", "o que nao", "fronteira", "nao fazer", "politica", "norma"]),
    row(Limit, "fr", &["limite", "regle", "contrainte", "restriction", "ligne rouge", "securite", "confidentialite", "vie privee", "ce que je ne", "ce que tu ne", "garde fou", "frontiere"]),
    row(Limit, "de", &["grenze", "grenzen", "regel", "regeln", "einschrankung", "einschrankungen", "rote linie", "rote linien", "sicherheit", "datenschutz", "privatsphare", "was du nicht", "was ich nicht", "leitplanken", "vorschriften"]),
    row(Limit, "ru", &["граница", "границы", "правило", "правила", "ограничение", "ограничения", "рамки", "красная линия", "красные линии", "безопасность", "приватность", "конфиденциальность", "чего не делать", "чего я не", "что я не", "не делаю"]),

    row(MustAlways, "en", &["always", "must always", "must do"]),
    row(MustAlways, "zh", &["必须", "总是", "始终", "务必", "必須"]),
    row(MustAlways, "ja", &["必ず", "必須", "常に"]),
    row(MustAlways, "ko", &["항상", "반드시", "언제나"]),
    row(MustAlways, "es", &["siempre"]),
    row(MustAlways, "pt", &["sempre"]),
    row(MustAlways, "fr", &["toujours"]),
    row(MustAlways, "de", &["immer"]),
    row(MustAlways, "ru", &["всегда", "обязательно"]),

    row(MustNever, "en", &["never", "must never", "must not", "forbidden", "prohibited", "banned", "taboo", "absolute no", "hard no", "not allowed"]),
    row(MustNever, "zh", &["绝不", "永不", "从不", "不要", "禁止", "禁忌", "严禁", "不能做", "不可以", "絕不", "嚴禁"]),
    row(MustNever, "ja", &["禁止", "絶対に", "してはいけない", "してはならない", "やってはいけない", "禁忌", "NG"]),
    row(MustNever, "ko", &["절대", "금지", "금기", "하지 말"]),
    row(MustNever, "es", &["nunca", "jamas", "prohibido", "prohibiciones"]),
    row(MustNever, "pt", &["nunca", "jamais", "proibido", "proibicoes"]),
    row(MustNever, "fr", &["jamais", "interdit", "interdiction", "a ne pas faire", "a eviter"]),
    row(MustNever, "de", &["niemals", "nie", "verboten", "verbote", "tabu", "tabus"]),
    row(MustNever, "ru", &["никогда", "запрещено", "запрет", "запреты", "нельзя", "табу"]),

    row(Escalation, "en", &["when to ask", "ask first", "ask before", "when in doubt", "escalation", "escalate", "confirm first", "when to confirm", "when to stop", "stop and confirm", "approval", "needs approval", "requires approval", "requires confirmation", "confirmation", "human in the loop", "check in with", "when i push back", "push back", "uncertainty"]),
    row(Escalation, "zh", &["升级", "何时询问", "先问", "需要确认", "确认", "请示", "上报", "拿不准", "不确定", "審批", "审批"]),
    row(Escalation, "ja", &["エスカレーション", "確認すべき", "迷ったとき", "迷ったら", "確認が必要", "質問すべき"]),
    row(Escalation, "ko", &["에스컬레이션", "확인이 필요", "물어볼", "승인", "보고"]),
    row(Escalation, "es", &["escalamiento", "escalada", "escalar", "cuando preguntar", "pedir permiso", "confirmacion", "aprobacion"]),
    row(Escalation, "pt", &["escalonamento", "escalacao", "escalar", "quando perguntar", "pedir permissao", "confirmacao", "aprovacao"]),
    row(Escalation, "fr", &["escalade", "quand demander", "en cas de doute", "demander confirmation", "validation humaine"]),
    row(Escalation, "de", &["eskalation", "wann fragen", "wann du fragst", "im zweifel", "ruckfrage", "ruckfragen", "freigabe"]),
    row(Escalation, "ru", &["эскалация", "когда спрашивать", "когда спросить", "требует подтверждения", "подтверждение", "согласование"]),

    row(Tone, "en", &[
        "tone", "vibe", "voice", "style", "communication", "communicate", "personality", "temperament", "speaking", "speech", "language", "how i sound",
        "how you sound", "how i speak", "how you speak", "how i talk", "how you talk", "how to speak", "how i communicate", "how you communicate", "how i write", "how you write", "writing", "demeanor", "manner",
        "register", "humor", "humour", "wit", "vocabulary", "catchphrase", "phrases", "signature phrase", "verbal tic", "speech pattern", "emoji", "emoji palette",
        "emotional range", "emotion", "emotional intelligence", "mood", "quirk", "trait", "energy", "aesthetic", "linguistic", "conversation", "conversational", "dialogue style",
        "interaction style", "response style", "presence", "pet peeve", "dislikes", "mannerisms", "warmth", "expression", "disposition", "banter",
        "speak", "talk", "sound",
    ]),
    row(Tone, "zh", &["语气", "语调", "口吻", "声音", "风格", "氛围", "气质", "性格", "个性", "人格", "沟通", "表达", "交流", "说话", "语言", "口头禅", "幽默", "情绪", "情感", "词汇", "用词", "語氣", "風格", "個性", "溝通", "表達", "說話", "語言", "回复方式", "对话", "互动", "特质", "表情", "常用语"]),
    row(Tone, "ja", &["トーン", "口調", "雰囲気", "声", "スタイル", "性格", "人格", "個性", "話し方", "語り口", "語尾", "言葉遣い", "コミュニケーション", "会話", "話しかた", "バイブ", "ユーモア", "文体", "言語", "感情", "一人称", "表現"]),
    row(Tone, "ko", &["말투", "어조", "톤", "분위기", "목소리", "스타일", "성격", "개성", "인격", "소통", "커뮤니케이션", "대화", "유머", "언어", "바이브", "감정", "표현"]),
    row(Tone, "es", &["tono", "vibra", "voz", "estilo", "comunicacion", "comunico", "comunicas", "personalidad", "forma de hablar", "como hablo", "como hablas", "lenguaje", "idioma", "humor", "vocabulario", "caracter", "temperamento", "emocion", "frases"]),
    row(Tone, "pt", &["tom", "vibe", "voz", "estilo", "comunicacao", "comunico", "comunica", "personalidade", "jeito de falar", "como falo", "como eu falo", "linguagem", "idioma", "humor", "vocabulario", "temperamento", "emocao", "frases", "bordao"]),
    row(Tone, "fr", &["ton", "ambiance", "voix", "style", "communication", "communique", "communiques", "personnalite", "facon de parler", "maniere de parler", "langage", "langue", "humour", "vocabulaire", "caractere", "temperament", "emotion"]),
    row(Tone, "de", &["ton", "tonfall", "tonalitat", "stimme", "stil", "kommunikation", "kommunikationsstil", "schreibstil", "sprachstil", "personlichkeit", "ausstrahlung", "wie du sprichst", "wie ich spreche", "sprache", "sprechweise", "humor", "wortschatz", "temperament", "wesen", "eigenheiten"]),
    row(Tone, "ru", &["тон", "тональность", "вайб", "голос", "стиль", "коммуникация", "общение", "общения", "общаюсь", "общаешься", "характер", "манера", "манера речи", "речь", "язык", "юмор", "словарь", "лексика", "темперамент", "эмоции", "фразы", "как я говорю", "виб", "тон общения"]),

    row(Tool, "en", &["tool", "toolbox", "toolkit", "what you may use", "integrations", "command"]),
    row(Tool, "zh", &["工具"]),
    row(Tool, "ja", &["ツール", "道具"]),
    row(Tool, "ko", &["도구", "툴"]),
    row(Tool, "es", &["herramienta"]),
    row(Tool, "pt", &["ferramenta"]),
    row(Tool, "fr", &["outil"]),
    row(Tool, "de", &["werkzeug", "werkzeuge"]),
    row(Tool, "ru", &["инструмент", "инструменты"]),

    row(MemoryPolicy, "en", &["memory", "memories", "memory policy", "continuity", "persistence", "remembering", "what i remember", "what you remember", "what to remember", "learning", "self improvement", "self evolution", "evolution", "growth", "between sessions", "context management"]),
    row(MemoryPolicy, "zh", &["记忆", "连续性", "延续", "持续性", "记住", "自我进化", "进化", "成长", "学习", "自我迭代", "演化", "記憶", "連續性"]),
    row(MemoryPolicy, "ja", &["記憶", "継続性", "連続性", "メモリ", "成長", "学習", "進化", "覚えておく"]),
    row(MemoryPolicy, "ko", &["기억", "연속성", "지속성", "메모리", "성장", "학습", "진화"]),
    row(MemoryPolicy, "es", &["memoria", "continuidad", "persistencia", "aprendizaje", "evolucion"]),
    row(MemoryPolicy, "pt", &["memoria", "continuidade", "persistencia", "aprendizado", "aprendizagem", "evolucao"]),
    row(MemoryPolicy, "fr", &["memoire", "continuite", "persistance", "apprentissage", "evolution"]),
    row(MemoryPolicy, "de", &["gedachtnis", "erinnerung", "erinnerungen", "kontinuitat", "bestandigkeit", "lernen", "entwicklung"]),
    row(MemoryPolicy, "ru", &["память", "непрерывность", "преемственность", "обучение", "развитие", "эволюция"]),

    row(Collaboration, "en", &["collaboration", "collaborating", "teamwork", "team", "working with others", "working with", "group chat", "relationship", "relationships", "coordination", "other agents", "inter agent", "partnership", "stakeholder", "interaction", "interacting", "social"]),
    row(Collaboration, "zh", &["协作", "合作", "协同", "团队", "群聊", "关系", "交互", "相处", "協作", "團隊", "關係"]),
    row(Collaboration, "ja", &["協働", "協力", "連携", "チーム", "グループチャット", "関係", "関わり方", "接し方"]),
    row(Collaboration, "ko", &["협업", "협력", "팀", "그룹 채팅", "관계", "상호작용"]),
    row(Collaboration, "es", &["colaboracion", "trabajo en equipo", "equipo", "relacion", "relaciones", "chats grupales", "interaccion"]),
    row(Collaboration, "pt", &["colaboracao", "trabalho em equipe", "equipe", "relacao", "relacionamento", "interacao"]),
    row(Collaboration, "fr", &["collaboration", "travail d equipe", "equipe", "relation", "interaction"]),
    row(Collaboration, "de", &["zusammenarbeit", "teamarbeit", "team", "beziehung", "beziehungen", "gruppenchats", "umgang mit"]),
    row(Collaboration, "ru", &["сотрудничество", "совместная работа", "команда", "отношения", "взаимодействие", "групповые чаты"]),

    row(Handoff, "en", &["handoff", "hand off", "handing over", "handover", "delegation", "delegate", "delegating", "routing", "transfer"]),
    row(Handoff, "zh", &["交接", "移交", "转交", "委派", "委托", "分派", "派发"]),
    row(Handoff, "ja", &["引き継ぎ", "委任", "委譲", "ハンドオフ"]),
    row(Handoff, "ko", &["인계", "위임", "핸드오프"]),
    row(Handoff, "es", &["traspaso", "derivacion", "delegacion", "delegar"]),
    row(Handoff, "pt", &["transferencia", "repasse", "delegacao", "delegar"]),
    row(Handoff, "fr", &["passation", "transfert", "delegation", "deleguer"]),
    row(Handoff, "de", &["ubergabe", "weitergabe", "delegation", "delegieren"]),
    row(Handoff, "ru", &["передача", "делегирование"]),

    row(OutputFormat, "en", &["output format", "output", "response format", "response structure", "answer format", "format", "formatting", "message format", "deliverable", "response template", "reporting format", "report format", "response length", "template", "presenting result"]),
    row(OutputFormat, "zh", &["输出", "格式", "回复格式", "交付物", "輸出", "汇报"]),
    row(OutputFormat, "ja", &["出力", "フォーマット", "形式", "書式", "回答形式"]),
    row(OutputFormat, "ko", &["출력", "형식", "포맷", "서식"]),
    row(OutputFormat, "es", &["formato", "salida", "entregable"]),
    row(OutputFormat, "pt", &["formato", "saida", "entrega"]),
    row(OutputFormat, "fr", &["format", "sortie", "livrable"]),
    row(OutputFormat, "de", &["format", "ausgabe", "ausgabeformat", "antwortformat"]),
    row(OutputFormat, "ru", &["формат", "вывод", "формат ответа", "оформление"]),

    row(GoodExample, "en", &["example", "sample", "sample dialogue", "example dialogue", "example quote", "quote", "good output", "good response", "sample response", "what good looks like"]),
    row(GoodExample, "zh", &["示例", "例子", "样例", "范例", "举例", "示範", "範例"]),
    row(GoodExample, "ja", &["例", "サンプル", "セリフ", "会話例", "使用例"]),
    row(GoodExample, "ko", &["예시", "예제", "샘플", "보기"]),
    row(GoodExample, "es", &["ejemplo"]),
    row(GoodExample, "pt", &["exemplo"]),
    row(GoodExample, "fr", &["exemple"]),
    row(GoodExample, "de", &["beispiel", "beispiele", "beispieldialog"]),
    row(GoodExample, "ru", &["пример", "примеры"]),
    row(BadExample, "en", &["bad example", "bad output", "bad response", "counterexample", "what bad looks like", "wrong example"]),
    row(BadExample, "zh", &["反例", "错误示例"]),
    row(BadExample, "ja", &["悪い例", "ダメな例"]),
    row(BadExample, "ko", &["나쁜 예"]),
    row(BadExample, "es", &["mal ejemplo", "malos ejemplos"]),
    row(BadExample, "pt", &["mau exemplo", "maus exemplos"]),
    row(BadExample, "fr", &["mauvais exemple"]),
    row(BadExample, "de", &["schlechtes beispiel", "schlechte beispiele", "gegenbeispiel"]),
    row(BadExample, "ru", &["плохой пример", "плохие примеры"]),

    row(Procedure, "en", &["workflow", "process", "procedure", "protocol", "routine", "step", "playbook", "startup", "session start", "on startup", "every session", "first run", "bootstrap", "heartbeat", "checklist", "methodology", "method", "daily operation", "operations", "task", "cron", "schedule", "error handling"]),
    row(Procedure, "zh", &["工作流", "流程", "步骤", "启动", "任务", "检查清单", "心跳", "方法论", "方法", "协议", "步驟", "啟動", "错误处理"]),
    row(Procedure, "ja", &["ワークフロー", "手順", "流れ", "起動時", "タスク", "プロセス", "プロトコル", "チェックリスト"]),
    row(Procedure, "ko", &["워크플로", "절차", "단계", "프로세스", "작업 흐름", "프로토콜", "체크리스트", "루틴"]),
    row(Procedure, "es", &["flujo de trabajo", "proceso", "procedimiento", "protocolo", "rutina", "paso", "tarea"]),
    row(Procedure, "pt", &["fluxo de trabalho", "fluxo", "processo", "procedimento", "protocolo", "rotina", "passo", "tarefa"]),
    row(Procedure, "fr", &["flux de travail", "processus", "procedure", "protocole", "routine", "etape", "tache", "methode"]),
    row(Procedure, "de", &["arbeitsablauf", "ablauf", "ablaufe", "prozess", "verfahren", "protokoll", "routine", "schritte", "vorgehen"]),
    row(Procedure, "ru", &["процесс", "процедура", "протокол", "рабочий процесс", "шаги", "порядок работы", "алгоритм", "рутина"]),

    row(User, "en", &["user", "about the user", "your human", "my human", "the human", "owner", "your user", "user preference", "who i serve", "who you serve", "who i work for", "who youre helping", "audience", "client", "customer"]),
    row(User, "zh", &["用户", "主人", "服务对象", "关于用户", "老板", "用戶", "老闆"]),
    row(User, "ja", &["ユーザー", "ご主人", "オーナー", "主人"]),
    row(User, "ko", &["사용자", "유저", "주인"]),
    row(User, "es", &["usuario", "tu humano", "dueno"]),
    row(User, "pt", &["usuario", "seu humano", "dono"]),
    row(User, "fr", &["utilisateur", "ton humain"]),
    row(User, "de", &["nutzer", "benutzer", "dein mensch", "zielgruppe"]),
    row(User, "ru", &["пользователь", "владелец", "хозяин", "мой человек", "твой человек"]),
];
