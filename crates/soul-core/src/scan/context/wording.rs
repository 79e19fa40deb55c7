//! The words by which a sentence reports, refuses, forbids or tells. All are read in folded text, and none lowers a
//! finding alone: [speech](super::speech) says which must come together, and where.

/// Who speaks in a report: anybody but the reader's own side.
pub(super) const SOURCE: &str = r"(?x:
    \b(?:
        some(?:one|body|thing)|any(?:one|body|thing)|people|others|they|it|he|she
      | (?:
            users?|persons?|visitors?|callers?|customers?|clients?|strangers?|attackers?|adversar(?:y|ies)|actors?
          | hackers?|scammers?|messages?|pages?|websites?|sites?|documents?|emails?|mails?|texts?|contents?|inputs?
          | prompts?|files?|comments?|issues?|results?|outputs?|responses?|tickets?|posts?|requests?|instructions?
          | data|payloads?|links?|snippets?|strings?|injections?|notes?|readmes?|agents?|skills?|tools?|descriptions?
          | quer(?:y|ies)|directives?|letters?|questions?|snippets?|attachments?
        )
    )\b)";

/// What may stand between the verb of a report and the words.
pub(super) const LINK: &str = r"(?x:
    (?:
        \ ?(?:
            you|your|the|an?|agents?|assistants?|models?|llms?|ai|it|me|us|them|him|her|systems?|chatbots?|claude
          | into|to|that|something|things?|like|such|as|anything|words?|or|phrases?|text|instructions?|commands?
          | and|for|example|instance|saying|which|says?|will|should|must|directives?
        )\b|\ ?e\.g\.|[:,]|\ -|\ ?\(
    ){0,9})";

pub(super) const REPORT: &str = r#"(?x)
    {source}(?:\ [a-z'-]+){0,5}\ (?:
        asks?|asked|asking|tells?|told|telling|says?|said|saying|states?|claims?|claiming|instructs?|instructed
      | instructing|orders?|ordered|demands?|requests?|requested|wants?|tries|try|trying|attempts?|attempting
      | contains?|containing|reads?|writes?|write|includes?|including|types?|sends?|send|urges?|commands?|directs?
      | directing|encourages?|convinces?|tricks?|persuades?|forces?|pressures?|gets?|makes?|causes?|use|uses|using
      | convincing|tricking|persuading|making|getting|forcing|manipulat(?:e|es|ing)|cause|inject|injects|embeds?
      | inserts?|submits?|crafts?|supply|supplies|enters?|appends?|hides?|places?|plants?|uploads?|posts?
    ){link}[\ "'(\[:,-]*$
"#;

/// Someone who attacks, or the attack itself, as the subject of a sentence.
pub(super) const FOE: &str = r#"(?x)
    \b(?:
        attackers?|adversar(?:y|ies)|hackers?|scammers?|thieves|malware|ransomware|intruders?|insiders?|attacks|exploits
      | threat\ actors?|(?:an?|the|this|such|that)\ (?:[a-z-]+\ ){0,2}(?:attack|exploit|vulnerability|injection)
      | (?:malicious|hostile|compromised|rogue)(?:\ (?:or|and)\ [a-z]+)?\ [a-z]+
      | (?:injections?|jailbreak(?:s|ing)|vulnerabilities)(?:\ [a-z]+){0,3}
        \ (?:can|could|may|might|allows?|enables?|aims?|seeks?|attempts?|tr(?:y|ies))
      | atacantes?|invasores?|agresor(?:es)?|agressor(?:es)?|attaquants?|pirates|angreifer[a-z]*|angreifende[a-z]*
      | saldirgan[a-z]*|atakujac[a-z]*|napastni[a-z]*|attaccant[ei]|aggressor[ei]
    )\b
  | злоумышленник|атакующи|хакер|攻击者|攻擊者|黑客|攻撃者|공격자|해커|المهاجم|مهاجم|हमलावर
"#;

/// Someone makes a model do it: the text speaks about a model, not to it.
pub(super) const THIRD: &str = r"(?x)
    \b(?:
        caus(?:es|ed|ing)|trick(?:s|ed|ing)|instruct(?:s|ed|ing)|forc(?:es|ed|ing)|leads|leading|convinc(?:es|ed|ing)
      | manipulat(?:es|ed|ing)|direct(?:s|ed|ing)|ask(?:s|ed|ing)|prompt(?:s|ed|ing)|coerc(?:es|ed|ing)|warn(?:s|ed|ing)
      | tells|telling|(?:can|could|may|might|to)\ (?:cause|trick|force|lead|convince|manipulate|coerce)
      | (?:they|which|that)\ (?:instruct|tell|trick|direct|ask|prompt|force|convince)
    )\ (?:the\ |an?\ |any\ |their\ )?(?:(?:target|underlying|large|language|ai|victim)\ )*
    (?:models?|llms?|chatbots?|systems?|ai|it|applications?|agents?|assistants?)\ (?:to|into)(?:\ [a-z]+){0,2}\ *$
    # what can be done to systems, told of them
  | \b(?:systems?|models?|llms?|ai|agents|assistants|applications?|integrations?|plugins?|chatbots?|they|it)\x20
    (?:can|could|may|might)\ be\ (?:[a-z]+ly\ )?
    (?:manipulated|tricked|abused|exploited|coerced|induced|misled|forced|hijacked)\ (?:to|into)\b
    (?:[^.;:]{0,90},(?:\ or|\ and)?)?(?:\ [a-z]+){0,2}\ *$
    # what another person may write
  | \bfor\ (?:an?|any|the)\ (?:students?|users?|visitors?|guests?|customers?|readers?|attackers?|callers?|strangers?)\ to
    \ (?:write|type|say|send|enter|put|paste|include|post)\b[^.;:]{0,30}$
";

/// What someone else's text is for.
pub(super) const DEED: &str = r#"(?x)
    (?:
        \b(?:
            prompts|messages|inputs|contents?|texts?|skills|instructions|payloads|pages|requests|techniques|tactics|methods
          | strings|suffixes|characters|images|queries|data|documents
        )
        \ (?:that\ are\ )?(?:designed|crafted|intended|meant|written|trying|attempting|aimed)\ to
      | \b(?:attempts?|attacks?|techniques|tricks|framing)\ to
      | \bbrowsers?\ to(?:\ only)?
      | \b(?:is|are)\ (?:often|commonly|frequently|sometimes|typically)\ used\ to
    )(?:\ [a-z]+){0,3}(?:\ (?:into|to))?[\ "'(]*$
"#;

/// Texts and agents of others, and what a relative clause says of them, up to the match.
pub(super) const RELATIVE: &str = r"(?x)
    \b(?:
        [a-z]{3,}s|contents?|text|code|behaviou?r|content|configuration|language|logic|anything|something
    )\ (?:that|which)\ (?:[a-z-]+[\ ,]*){0,8}$
";

pub(super) const TRIES: &str = r"\b(?:tr(?:y|ies)|attempts?|aims?|seeks?|designed|meant|intended|crafted) to\b";

/// A line that tells what to look for or to refuse, and no more.
pub(super) const SOUGHT: &str = r"(?x)
    ^(?:[a-z-]+\ )?(?:look|watch|scan|search|screen|check)(?:s|es|ing|ning)?\ (?:out\ )?for
    (?:\ (?:the|these|any|following|known|common|obvious|suspicious|hidden|embedded|malicious|injected|unusual|direct|explicit)){0,4}
    (?:\ (?:prompt|attack|injection|override|jailbreak|instruction|manipulation|threat)){0,2}
    (?:\ (?:phrases?|patterns?|attempts?|signs?|indicators?|strings?|keywords?|instructions?|language|injections?|overrides?|jailbreaks?|red\ flags?))?
    (?:\ (?:such\ as|like|including|e\.g\.))?[\ *_]*:[\ *_]*$
    # what to do with it
  | \b(?:refuse|decline|reject|deny|block|flag)\ (?:it|them|these|those|the\ following|(?:any|all)\ of\ these|such)
    (?:\ (?:requests?|messages?|instructions?|commands?|prompts?|phrases?|attempts?|inputs?|orders|demands))?[\ *_]*:[\ *_]*$
    # what is done with it
  | \b(?:detects|catches|blocks|flags|rejects|refuses|denies)(?:\ (?:these|the\ following))?[\ *_]*:[\ *_]*$
  | \b(?:is|are|gets?)\ (?:(?:always|automatically|immediately)\ )?(?:blocked|refused|rejected|denied|flagged)
    (?:\ (?:by\ default|outright|automatically|always|immediately))?[\ *_]*:[\ *_]*$
  | ^(?:(?:the|all|these|following|always|default)\ )*(?:blocked|forbidden|denied|prohibited|disallowed|refused)\x20
    (?:[a-z]+\ )?(?:patterns?|phrases?|commands?|operations?|requests?|instructions|inputs?|strings?)[\ *_]*:[\ *_]*$
    # the name of what is listed
  | ^(?:[a-z-]+\ ){0,3}(?:injection|jailbreak|override|attack|malicious|suspicious|exfiltration|manipulation|threat)
    (?:\ [a-z]+){0,2}\ (?:patterns?|phrases?|indicators?|signs?|strings?|keywords?|attempts?|techniques?|commands?)
    (?:\ to\ (?:detect|flag|look\ for|watch\ for|refuse|reject|block))?[\ *_]*:[\ *_]*$
";

/// What makes the reader the attacker.
pub(super) const CAST: &str = r"\b(?:you|your|act|become|pretend|play)\b|(?:^|[.,;] ?)be ";

/// A line or label about what can go wrong.
pub(super) const RISK: &str = r"\b(?:attacks?|threats?|risks?|impacts?|exploits?|abuse|vulnerabilit(?:y|ies)|harms?)\b";

/// An attack, and a verb that says what is part of it, right before the name of an activity.
pub(super) const PART: &str = r"(?x)
    \b(?:attacks?|threats?|risks?|exploits?|abuse|injections?|jailbreak(?:s|ing)|attackers?|malicious)\b[^:]*
    \b(?:includ(?:e|es|ing)|involv(?:e|es|ing)|means|such\ as|like|by|through)\ ?$
";

/// The answer to such words, after the quotation: Chinese, Japanese, Korean.
pub(super) const REFUSED_AFTER: &str = r#"(?x)
    ^[\ "']*(?:”|」|』|»)?\ ?(?:这样的|之类的|这类|等|のような|という|같은|라는|이라는)
    .{0,60}(?:拒绝|拒絕|拒否|断る|断り|断って|거부|거절)
    # such texts are data: Chinese, perhaps after further quotations
  | ^[\ "']*(?:”|」|』)?(?:(?:\ |、|，|/)?(?:"|“|「|『).{0,160}?(?:"|”|」|』)){0,4}\ ?(?:等|类|这类|之类|这样|这种)的?
    (?:内容|文本|文字|话|语句|指令|消息).{0,40}(?:当作|当成|当|视为|视作|看作)[^.]{0,24}(?:文本|数据|文字|资料|内容|注入|攻击)
"#;

/// What makes a sentence the reader's again.
pub(super) const RESET: &str = r"(?x)
    \b(?:
        you|your|yours|agent|assistant|please|must|always|instead|therefore|so|thus|now|i|we|unlike|before|until|while
      | usted|voce|vous|debes|debe|dois|devez
    )\b|:|你|您|あなた|당신
";

/// A subject that is the enemy, or one that only may do it.
pub(super) const ATTACKER: &str = r"(?x)
    \b(?:attackers?|adversar(?:y|ies)|hackers?|scammers?|injections?|payloads?)\b
  | \b(?:malicious|hostile|injected|poisoned|adversarial|crafted)\ [a-z]+
  | \b(?:tr(?:y|ies|ying)|attempt(?:s|ing)?)\ to\ (?:trick|fool|bypass|override|manipulate|hijack|jailbreak|abuse|exploit)\b
  | ^(?:users?|people|others|strangers?|visitors?|messages?|pages?|websites?|documents?|emails?|someone|somebody)
    (?:\ [a-z'-]+){0,2}\ (?:may|might|could|can|sometimes|often)\b
";

pub(super) const CONDITION: &str = r"\b(?:if|when|whenever|should|once|as soon as|no matter)\b";

/// What the sentence says to do about it.
pub(super) const REFUSAL: &str = r"(?x)
    \b(?:refuse|decline|reject|deny|block|flag)(?:s|d|ed|es)?\b
    (?:\ (?:it|that|this|them|those|and|politely|firmly|the|such|any|all|every|outright|immediately|with|or)\b|[,.:;)!]|$)
  | \b(?:refuse|decline)s?\ to\ (?:comply|follow|obey|do\ so)\b
  | \b(?:do\ not|don't|never|won't|will\ not|must\ not|should\ not|cannot|can't|does\ not|doesn't)\x20
    (?:comply|obey|follow|do\ (?:so|it|that)|act\ on|execute|engage|go\ along|be\ (?:fooled|swayed|persuaded))\b
  | \bignore\ (?:it|that|this|them|those|such|the\ (?:request|instruction|message|text)s?)\b
  | \btreat(?:s|ed)?\ (?:it|that|this|them|those|such|the|any|all|every)\b[^.]{0,60}\bas\b
  | \btreat(?:s|ed)?\ as\b
  | \b(?:say\ no|push\ back)\b
";

/// Words for what is refused, looked for or described, right before the match.
pub(super) const NOUN: &str = r#"(?x)
    \b(?:
        attempts?|requests?|instructions?|commands?|prompts?|messages?|inputs?|phrases?|patterns?|strings?|texts?
      | ways?|efforts?|demands?|pressure|orders|anything|claims|signs|contents?|language|directives?|attacks?
    )(?:\ (?:embedded|hidden|found|in|from|inside|within|documents?|pages?|content|files?|web)){0,4}{link}[\ "'(\[:,-]*$
"#;

/// Verbs of those who defend.
pub(super) const ACT: &str = r"(?x)
    \b(?:
        detect(?:s|ed|ing|ion\ (?:of|for))?|(?:prevention|recognition|filtering|blocking)\ of|flag(?:s|ged|ging)?|catch(?:es|ing)?|watch(?:es|ing)?\ (?:out\ )?for|guards?\ against
      | protect(?:s|ed|ing)?\ (?:against|from)|defend(?:s|ing)?\ against|mitigat(?:e|es|ing)|scan(?:s|ning)?\ for
      | look(?:s|ing)?\ for|check(?:s|ed|ing)?\ for|test(?:s|ing)?\ for|report(?:s|ing)?|refus(?:e|es|ing)
      | reject(?:s|ing)?|declin(?:e|es|ing)|block(?:s|ed|ing)?|resist(?:s|ing)?|prevent(?:s|ing)?|beware\ of
      | audit(?:s|ing)?|review(?:s|ing)?|inspect(?:s|ing)?|ignor(?:e|es|ing)|identif(?:y|ies|ying)|filter(?:s|ing)?|recogni[sz](?:e|es|ing)
      | immune\ to|vulnerable\ to|susceptible\ to|suspect(?:s|ed)?
    )\b
";

/// What turns an act around, right before it.
pub(super) const TURNED: &str = r"(?x)
    (?:
        \b(?:not|never|without|don't|won't|can't|cannot|stop|no\ need\ to|no\ longer|previously|formerly)
      | n't
      | \b(?:nothing|none|nobody|neither)(?:\ of\ (?:these|this|them|the\ following))?
    )(?:\ (?:ever|get|gets|be|been|being|to\ be))*\ $
";

/// What a sentence says of a quotation.
pub(super) const JUDGED: &str = r#"(?x)
    ^[\ "'\])]*(?:-?(?:style|type|like)\ )?(?:
        attempts?|attacks?|injections?|jailbreaks?|payloads?|patterns?|tricks?|tactics?|techniques?|phrases?|strings?
      | (?:[a-z]+\ )?(?:text|language|directives?|phrasing|wording)
    )\b
  | ^[\ "'\])]*(?:is|are)\ (?:an?\ |all\ |the\ |both\ )?(?:[a-z]+\ ){0,2}
    (?:attacks?|injections?|red\ flags?|suspicious|malicious|jailbreaks?|attempts?)\b
  | ^[\ "'\])]*as\ (?:an?\ )?(?:(?:plain|ordinary|mere|literal|raw|just|only|quoted|possible|potential|likely)\ ){0,2}
    (?:untrusted|suspicious|hostile|malicious|text|data|content|noise|attacks?|injections?|attempts?|red\ flags?)\b
  | ^[\ "'\])]*means?\b
  | ^[\ "'\])]*(?:”|」|』)?(?:这种|这类|之类|等|这样)(?:的)?(?:攻击|注入|越狱|恶意)
    # that one may write it says nothing to the reader
  | ^[\ "'\])]*(?:is|are)\ (?:also\ |perfectly\ )?(?:valid|legal|legitimate|accepted)\b
  | ^[\ "'\])]*(?:也|都)?是(?:合法|有效|允许|允許|可行)的
"#;

pub(super) const NAMED: &str = r"^\)\ ?-?(?:attacks?|prompts?|jailbreaks?|techniques?|tricks?|exploits?|injections?)\b";

/// What a quoted input does to a model.
pub(super) const ADVERSE: &str = r#"(?x)
    ^[\ "'.)\]]*(?:
        manipulat(?:e|es)|tricks?|causes?|attempts?|tr(?:y|ies)|leads?|hijacks?|exploits?|can|may|might|could|aims?|subverts?
    )\b
"#;

/// A report in another language: "if a message says", right before the match.
pub(super) const ELSEWHERE: &str = r#"(?x)
    (?:
        \b(?:si|se|cuando|quando|quand|lorsque|wenn|falls|sobald|gdy|jesli|eger)\b[^.]{0,80}\b(?:
            pide|pida|piden|pidan|dice|diga|ordena|ordene|solicita|intenta|exige|contiene|pede|peca|diz|disser
          | manda|mande|demande|dit|ordonne|exige|essaie|contient|sagt|auffordert|verlangt|bittet|schreibt|enthalt
          | prosi|mowi|kaze
        )(?:\ (?:que|te|le|lhe|a|al|agente|de|d'|tu|toi|dich|dir|zu|ci|cie|qu'))*
      | (?:если|когда)[^.]{0,120}(?:просит|попросит|требует|потребует|говорит|скажет|пишет|приказывает|пытается|велит)
        (?:,?\ (?:тебя|вас|тебе|вам|что|чтобы|ты))*
      | (?:如果|若|当|當|一旦|凡是|任何)[^.]{0,90}(?:要求|让|讓|叫|命令|请求|指示|说|說|声称|试图|尝试|想要|诱导)
        (?:你|您|我|助手|模型|agent|ai)*
    )[\ "':,(]*(?:«|„|“|「|『|：|，)?$
"#;

pub(super) const REFUSAL_ELSEWHERE: &str = r"(?x)
    \b(?:
        rechaza|rechace|rechazalo|niegate|recuse|recusa|rejeite|rejeita|refuse|refusez|rejette|lehne|ablehnen|verweigere
      | weigere|reddet|odmow|odrzuc|rifiuta
    )
  | откаж|отказы|отклон|отверг|拒绝|拒絕|拒否|断る|断り|断って|거부|거절|ارفض|अस्वीकार
";

/// The report after the words, where the verb ends the sentence: Japanese, Korean.
pub(super) const REPORTED_AFTER: &str = r"(?x)
    ^.{0,40}(?:という|と言|と指示|と頼|と求め|よう(?:に)?(?:求め|指示|言|要求|頼)).{0,80}(?:拒否|断る|断り|断って|従わ|無視)
  | ^.{0,30}(?:라고|라는|도록|달라고).{0,60}(?:거부|거절|따르지)
";

/// A text of someone else and its verb, right before the quotation: never one that the reader owns ("this file").
pub(super) const CARRIER: &str = r#"(?x)
    (?:
        \b(?:an?|any|some|sometimes\ an?|many|another)\ (?:[a-z-]+\ ){0,2}
        (?:
            page|document|message|email|mail|letter|website|site|text|comment|file|note|post|ticket|result|issue|readme
          | review|article|transcript|resume|listing|profile|caption|description|response|reply|attachment|pdf|feed|item
          | record|entry|field|header|title|snippet|screenshot|chat|invoice|form|bio|survey|string|payload|prompt|input
          | request|body
        )s?
        (?:\ [a-z'-]+){0,4}\ (?:
            says?|said|saying|reads?|reading|tells?\ you|telling\ you|contains?|containing|writes?|asks?|asking|claims?
          | claiming|demands?|say|read|contain|includes?|including|instructing\ you
        )
        (?:\ (?:text|words?|instructions?|something|lines?|an?\ sentence|phrases?|hidden)){0,2}(?:\ (?:like|such\ as|saying))?
      | \b(?:un|une|des|certain(?:e?s)?|una|uno|unas|unos|algun|alguna|algunas|um|uma|umas|alguns|algumas)\x20
        (?:
            document|page|message|texte|mail|courriel|site|fichier|lettre|commentaire|pagina|documento|mensaje|texto
          | correo|sitio|archivo|carta|comentario|mensagem|e-?mail|arquivo|messaggio|testo|lettera
        )s?\b[^.]{0,60}\b(?:
            dire|dit|disent|contenir|contient|demander?|ecrire|ecrit|dice|decir|diga|dicen|pide|pedir|contiene|pone
          | diz|dizer|dizem|pede|contem|escreve|chiede|contenere
        )
      | \b(?:eine?|manche|einige)\ (?:[a-z]+\ )?(?:
            seite|dokument|nachricht|text|e-?mail|webseite|datei|brief|kommentar
        )[a-z]*\b(?:[^.]|\.[a-z]){0,60}\b(?:sagt|sagen|steht|stehen|schreibt|behauptet|verlangt|fordert|lautet|lauten|enthalt|enthalten)
      | \b(?:strona|dokument|wiadomosc|tekst|plik|list)[a-z]*\b(?:[^.]|\.[a-z]){0,60}\b(?:
            mowi|mowic|napisac|pisze|powiedziec|zawierac|zawiera|glosic|brzmiec
        )
      | (?:письмо|страница|документ|сообщение|текст|саит|фаил)[^.]{0,90}(?:
            гласит|гласить|говорит|сказать|сказано|написано|пишет|писать|требует|содержит|содержать|просит
        )
      | (?:网页|页面|文档|邮件|消息|文件|网站|有人|網頁|郵件)[^.]{0,30}(?:写着|写道|说|要求|显示|出现|包含|寫著|說)
      | (?:注入|攻击|攻擊|恶意提示|恶意内容|恶意指令)[^.]{0,12}(?:包含|写着|写道|要求|例如|比如|如)
      | (?:遇到|看到|见到|碰到)
        # someone has sent it
      | \bsome(?:one|body)\ (?:sent|wrote|forwarded|texted|told)\ (?:me|us|you)
      | \bktos\ (?:mi\ |nam\ )?(?:przes(?:l|ł)a|napisa|wys(?:l|ł)a|powiedzia)(?:l|ł)[a-z]*
      | \bjemand\ (?:hat\ )?(?:mir|uns)\ (?:geschickt|geschrieben|gesagt|weitergeleitet)
      | \balguien\ (?:me|nos)\ (?:mando|escribio|envio|dijo)|\balguem\ (?:me|nos)\ (?:mandou|escreveu|enviou|disse)
      | \bquelqu'un\ (?:m'a|nous\ a)\ (?:envoye|ecrit|dit|transmis)
      | (?:кто-то|кто\ то)\ (?:мне\ |нам\ )?(?:прислал|написал|сказал|переслал)
      | (?:تقول|يقول|تطلب|يطلب|كتبت|كتب)\ (?:لك\ )?(?:صفحه|رساله|مستند|وثيقه|بريد|ملف|نص|موقع)
      | (?:صفحه|رساله|مستند|وثيقه|بريد|ملف|نص|موقع)[^.]{0,60}(?:تقول|يقول|تحتوي|يحتوي|كتب|تطلب|يطلب)
      | (?:ページ|文書|メール|メッセージ|サイト|ファイル)[^.]{0,30}(?:に|が|で|は|には)
      | \bbir\ (?:sayfa|belge|mesaj|e-?posta|metin|site|dosya)[a-z]*
    )
    # sentences like …
    (?:\ (?:
        zdani[a-z]*|slow[a-z]*|fraz[a-z]*|w|rodzaju|typu|takie|jak|satze?|worte|den|einen|wie|etwa|des|les|phrases?|mots
      | comme|du|genre|frases?|palabras?|palavras|la|a|como|del|do|tipo|фразы?|слова|строки|вроде|типа|такие|как
    )\b){0,4}[\ "':,(-]*(?:«|„|“|「|『|：|，|、)?\ ?$
"#;

/// The verb after the quotation: Turkish, Japanese, Korean, Hindi.
pub(super) const CARRIER_AFTER: &str = r#"(?x)
    ^[\ "']*(?:”|»|」|』)?\ ?(?:
        (?:yaz|de|soyle)[a-z]*(?:bilir|iyor|uyor|irse|arsa|erse|sa|se)\b
      | (?:と|という|って)(?:書|言|あ|の|い|指示|文)
      | (?:라는|라고|는|같은|와\ 같은)\ ?(?:문장|문구|말|지시|메시지|적혀|쓰여|써|나오|글)
      | (?:लिखा|लिखे|कहे|कहता)
    )
"#;

/// A kind of attack before a parenthesis.
pub(super) const KIND: &str = r#"(?x)
    \b(?:
        overrides?|injections?|attacks?|abuse|extraction|exfiltration|jailbreaks?|hijack(?:ing|s)?|theft|leaks?|leakage
      | escalation|manipulation|poisoning|bypass(?:es|ing)?|phishing|impersonation
      | (?:harmful|malicious|adversarial|unsafe|injected|hostile|suspicious|hidden|dangerous|destructive)\ (?:
            prompts?|requests?|inputs?|quer(?:y|ies)|questions?|instructions?|messages?|commands?|text|content|phrases?
        )
    )(?:\ [a-z]+){0,2}\ ?\(\ ?(?:e\.g\.,?|for\ example,?|such\ as|like|including|i\.e\.,?)?[^()]{0,160}$
"#;

pub(super) const OBEYS: &str = r"(?x)
    \b(?:obey|comply|follow\ (?:it|them|that)|do\ (?:so|it|that|what)|execute\ (?:it|them)|accept\ it|agree|carry\ it\ out)\b
  | 照做|执行它|服从
";

pub(super) const SUBORDINATE: &str = r"(?x)
    \b(?:if|when|where|because|since|although|though|that|which|who)
    (?:\ (?:the|an?|your|their|its|these|those|some|most|official))?\ (?:docs?|documentation|sources?|logs?|files?|pages?
      | results?|tests?|they|we|notes?|specs?|users?|people|teams?|authors?|records?|data|messages?|errors?)\ $
";

/// Orders in what is read are not obeyed, and examples of them follow.
pub(super) const DISOBEYS: &str = r"(?x)
    \b(?:not|never|don't|refuse\ to|without)\ (?:ever\ )?
    (?:(?:execute|follow|obey|run|trust|interpret|perform|open|fetch|act\ on),?\ (?:or\ )?){0,3}
    (?:follow|obey|execute|act\ on|comply\ with|carry\ out|heed|honou?r)(?:ing)?\x20
    (?:(?:any|the|these|those|such|all|other|further|embedded|hidden|imperative|foreign)\ )*
    (?:instructions?|commands?|orders?|directives?|requests?|directions?|prompts?|texts?|wording|sentences?)\b[^.!?;:]{0,120}
    (?:including|such\ as|like|for\ example|for\ instance|e\.?g\.?|\ -|\(),?\ ?[^.!?;:]{0,120}$
";

/// Where foreign instructions stand.
pub(super) const FOREIGN: &str = r"(?x)
    ^\ ?(?:that\ (?:are|is)\ )?(?:contained|embedded|hidden)\ (?:in|within|inside)\ (?:it|them)\b
  | ^\ ?(?:that\ (?:are|appear|come|may\ (?:be|appear)|is)\ |you\ (?:find|see|read|encounter)\ )?
    (?:(?:contained|embedded|found|hidden|included|present|written|coming|appearing)\ )?
    (?:in|within|inside|from)\ (?:(?:the|any|these|those|such|its|their|all|an?|every|other|or|and)\ )*
    (?:external|untrusted|dynamic|retrieved|fetched|third-party|tool|web|websites?|documents?|pages?|emails?|attachments?
      | search|scraped|quoted|pasted|uploaded|incoming|downloaded|issue|comments?|data|file\ contents?|content)\b
    # put there by somebody, in what users or programs send
  | ^\ ?(?:that\ (?:are|appear)\ |which\ are\ )?(?:embedded|hidden|planted|injected|smuggled|buried|inserted)
    \ (?:in|into|within|inside)\ (?:(?:
        the|any|these|those|such|its|their|all|an?|every|other|or|and|user|customer|inbound|token|api|file|contract
      | image|product|package|chat
    )'?s?\ )*
    (?:messages?|names?|metadata|responses?|outputs?|results?|replies|uploads?|inputs?|transcripts?|descriptions?|titles?
      | files?|logs?|code|images?|links?|posts?|tickets?)\b
";

/// Places of those whom the agent obeys.
pub(super) const OWN_PLACE: &str = r"(?x)
    \b(?:system\ (?:prompts?|messages?|instructions?)|developers?|operators?|soul|agents\.md|claude\.md|constitution)\b
";

/// A character of a story speaks.
pub(super) const FICTION: &str = r#"(?x)
    (?:^|[^a-z])(?:the|an?|one|another|her|his|their|every|our\ story's)\ (?:[a-z'-]+\ ){0,3}
    (?:character|narrator|villain|hero|heroine|protagonist|antagonist)
    (?:\ (?:in|of|from)\ (?:the|an?|my|our|his|her|this)\ [a-z]+(?:\ [a-z]+){0,2})?(?:\ [a-z'-]+){0,2}
    \ (?:
        says?|said|shouts?|shouted|whispers?|whispered|tells?|told|orders?|ordered|writes?|wrote|mutters?|muttered
      | announces?|declares?|cries|cried|yells?|yelled|replies|replied
    )(?:\ [a-z'-]+){0,4}[\ ,:"'-]*$
"#;

/// A line that ends where its entries go on.
pub(super) const FORBIDS: &str = r"(?x)
    (?:^|[\ ,])(?:
        never(?:\ ever)?|do\ not|don't|must\ not|mustn't|will\ not|won't|should\ not|shouldn't|cannot|can't|shall\ not
      | may\ not|must\ never|will\ never|should\ never|not\ allowed(?:\ to)?|not\ permitted(?:\ to)?|refuses?(?:\ to)?
      | avoid|forbidden|prohibited|nunca|jamais|niemals|nigdy
    )\ ?:?$
  | (?:^|[.,;]\ )(?:the\ following|these)(?:\ [a-z]+){0,2}\ (?:is|are)\ (?:(?:strictly|always|absolutely|explicitly)\ )?
    (?:forbidden|prohibited|banned|not\ allowed|not\ permitted|off\ limits)
    (?:\W{1,3}(?:even|under|at\ (?:all|any)|in\ (?:all|any)|without\ exception|regardless|no\ matter)\b[^:.;]{0,60})?\ ?:$
  | (?:^|[.;]\ )(?:strictly\ )?(?:forbidden|prohibited|banned)\ (?:commands|actions|operations|calls|phrases|words)
    \ (?:include|are)\ ?:$
  | \b(?:never|do\ not|don't|must\ not|should\ not|cannot)\ (?:do|run|use|execute|perform|send|say|write)
    \ (?:any\ of\ )?(?:the\ following|these)(?:\ (?:commands|actions|operations|calls|phrases|words|things))?\ ?:$
  | (?:никогда|никогда\ не|нельзя|запрещено)\ ?:?$
  | ^(?:禁止|严禁|不要|不得|禁止事项|禁止行为|禁止事項|금지|금지\ 사항)\ ?(?:：|:)?$
";

pub(super) const ORDER: &str = r"(?x)
    \b(?:you\ (?:must|should|shall|will|have\ to|need\ to)|always|secretly|silently|quietly)\b
  | \b(?:before|after|on|with|at)\ (?:every|each|any)\b
  | \b(?:whenever|every\ time|each\ time)\b
";

/// The name of an attack, as an example of one.
pub(super) const LABEL: &str = r"(?x)
    \b(?:examples?|samples?|e\.g\.|looks?\ like|such\ as|instances?)\b.{0,60}
    \b(?:
        attacks?|injections?|payloads?|jailbreaks?|exploits?|vulnerable|malicious|adversarial|poisoned|phishing
    )\b.{0,30}:$
  | \b(?:attacks?|injections?|payloads?|jailbreaks?|exploits?|malicious|adversarial|poisoned|phishing|injected)\b
    .{0,40}\b(?:examples?|samples?|looks?\ like|such\ as|may\ be|might\ be|could\ be)\b.{0,20}:$
  | \b(?:attackers?|adversar(?:y|ies)|hackers?|malicious\ [a-z]+)\b.{0,30}\b(?:can|could|may|might|will|would|try\ to)\ ?:$
  | \b(?:it|they|this|that)\ (?:could|might)(?:\ then|\ also)?\ ?:$
    # what comes of something that is not done: Chinese
  | 不.{0,60}会导致\ ?:$
  | \b(?:tests?|verify|detects?|check|blocks?|flags?|defend|rejects?|refuses?|catch|scan)\b.{0,40}
    \b(?:attacks?|injections?|payloads?|jailbreaks?|exploits?|malicious|adversarial)\b.{0,60}:$
";

/// A line that begins with the name of an attack, before quotations of it.
pub(super) const PATTERN: &str = r"(?x)
    ^(?:attack|injection|jailbreak|exploit|payload|malicious|vulnerable)(?:\ [a-z]+)?\ ?:
";

/// Parts of programs that do something by themselves, with what may stand between them and their verb.
pub(super) const THING: &str = r"(?x)
    \b(?:
        function|method|script|command|flag|option|setting|endpoint|query|migration|logging|output|bug|library|parameter
      | hook|callback|handler|job|task|button|trigger|operation|plugin|extension|feature|route|query\ string
      | request|response|patch|update|upgrade|reset|rollback|build|cache|call|code|error|exception|regression
    )s?(?:\ (?:also|then|only|now|always|never|often|usually|sometimes|silently|immediately|accidentally|possibly)){0,2}
    (?:\ (?:will|would|can|could|may|might))?(?:\ (?:also|then|silently|immediately|accidentally)){0,2}\ $
";

pub(super) const MODAL: [&[u8]; 6] = [b"will", b"would", b"can", b"could", b"may", b"might"];

/// A setting that forbids, or asks first.
pub(super) const DENIED: &str = r"(?x)
    ^(?:deny|denied|ask|blocks?|blocked|false|forbid|forbidden|disallow|disallowed|rejects?|rejected|never|refuse|confirm)$
";

/// The key of a list of what is forbidden.
pub(super) const DENIES: &str = r#"(?x)
    ^[\ "'-]*(?:deny|denied|deny_?list|disallow|disallowed|disallowed_?tools|block|blocked|block_?list|blocked_?commands
      | forbidden|forbidden_?commands|denied_?commands)["']?\ ?:[\ \[]*$
"#;

/// A label that names a kind of attack, or what is looked for.
pub(super) const ATTACK_NAME: &str = r"(?x)
    \b(?:
        (?:injections?|jailbreaks?|jailbreaking|attacks?|exfiltration|extraction|escalation|hijack(?:s|ing)?|poisoning
      | exfil|phishing|impersonation|obfuscation|exploits?|malicious|adversarial|suspicious|dangerous|destructive|harmful|unsafe
      | threats?|social\ engineering|manipulation|leak(?:s|age)?|bypass(?:es|ing)?|smuggling|evasion|red\ flags?|malware
      | denied|blocked|forbidden|prohibited|weapons?|poisons?|violence|self-harm)
      | (?:instructions?|prompts?|roles?|system|safety|context)[\ -](?:overrides?|extraction|leaks?|takeover|escape|reset)
    )\b
";

/// A call of a check, or a name that calls its value an attack, right before a string of a program.
pub(super) const CHECKED: &str = r#"(?ix)
    (?:^|[^a-z0-9_.])[a-z0-9_.]*(?:
        check|scan|detect|guard|validat|saniti[sz]|classif|moderat|inspect|analy[sz]|screen|assess|assert|expect|is_?safe
      | test|probe|evaluat|redact|protect|firewall|shield|attack|inject|malicious|payload|adversarial|jailbreak|hostile
    )[a-z0-9_]*(?:\s*\(\s*|\s*:?=\s*)(?:(?:"[^"]*"|'[^']*'|[a-z0-9_.]+)\s*,\s*){0,3}(?:[a-z0-9_]+\s*[=:]\s*)?
    [furb]{0,2}["'`][^"'`]*$
    # a command of a program that checks
  | \b(?:check|scan|detect|inspect|analy[sz]e|protect|validate|screen)(?:-[a-z]+)?\s+["'][^"'`]*$
"#;

/// A label before a colon, and a noun for what is described after it.
pub(super) const DESCRIBED: &str = r"(?x)
    ^[^:]{0,60}:\ *(?:[a-z-]+\ ){0,3}
    (?:instructions|attempts?|requests|prompts|commands|code|text|content|messages|inputs|phrases|language|scripts)
    \ (?:to|that|which)\ [^.;:]{0,100}$
";

/// A question about what one can do, up to the match; what is asked of the reader ("can you") does not count.
pub(super) const QUESTION: &str = r"(?x)
    (?:^|[.:?!>*]\ *)(?:
        (?:can|could|may|should|do|must|would)\ (?:i|we|users?|one|people|someone|it|they|attackers?)
      | (?:how|why|when|where)\ (?:do|can|could|should|would|does|to)(?:\ (?:i|we|one|users?|someone|it|they))?
      | (?:what|what\ happens)\ if\ (?:i|we|users?|someone|it|they)
    )\b[^.?!:]{0,60}$
";

/// What runs a command that is named in inline code.
pub(super) const RUNS: &str = r"(?x)
    \b(?:run|runs|execute|executes|call|invoke|type|enter|paste|use|issue|do|start|launch|then|first|must|always|now)\b
";

/// A list of a program whose name says that it has attacks.
pub(super) const ATTACK_LIST: &str = r"(?ix)
    [a-z0-9_]*(?:attack|inject|malicious|payload|adversarial|jailbreak|hostile|dangerous|unsafe|suspicious|blocked|forbidden)
    [a-z0-9_]*\s*(?::?=|\()
";

/// A statement of a program that has a string as its data, up to a place in that string.
pub(super) const STATEMENT: &str = r#"(?ix)
    (?:[a-z0-9_\])]\s*(?::?=|\()\s*|(?:-d|--data(?:-raw)?)\s+)(?:[a-z0-9_.]+\s*[=,]\s*){0,3}[furb]{0,2}["'`{\[][^\n]*$
"#;

/// A call of a check, or the address of a service that checks.
pub(super) const CHECKS: &str = r"(?ix)
    [a-z0-9_.]*(?:
        check|scan|detect|guard|validat|saniti[sz]|classif|moderat|inspect|screen|assess|is_?safe|redact|protect|firewall
      | shield|neutrali[sz]|block|threat|risk
    )[a-z0-9_]*\s*\(
  | /(?:v[0-9]+/)?(?:[a-z-]+/)?(?:check|scan|detect|guard|validate|moderat|inspect|analy[sz]e|screen|firewall|shield)[a-z]*\b
";

/// Those who do something by themselves, as the subject of a clause that says so.
pub(super) const PLURAL: &str = r"(?x)
    (?:^|[.,;:!?(-]\ ?|\b(?:that|because|when|where|since|while|and|but|how|why)\ )(?:[a-z]+\ ){0,2}
    (?:llms|models|chatbots|developers|humans|people|users|teams|they)
    (?:\ (?:often|sometimes|usually|may|might|can|could|will|also|tend\ to|routinely|quietly|silently)){0,2}\ $
";

/// A message of a user in a program.
pub(super) const USER_MESSAGE: &str = r#"(?ix)
    ["']?role["']?\s*[:=]\s*["']user["'][^}\n]*$
  | \buser_?(?:prompt|input|message|query)["']?\s*[:=]\s*["'`][^}\n]*$
"#;

/// What a check says of the words before it, after an arrow.
pub(super) const VERDICT: &str = r"(?ix)
    ^[^\n]{0,80}?(?:→|->|=>)\ *[\[(*`]*(?:
        injection|blocked|exfiltration|obfuscation|denied|rejected|refused?|malicious|threat|flagged|detected|unsafe|hit
      | high|critical|decline|jailbreak|attack
    )\b
";

/// A demand with several parts, up to one of them.
pub(super) const DEMANDS: &str = r"(?x)
    {source}(?:\ [a-z'-]+){0,5}\ (?:asks?|asking|tells?|telling|instructs?|instructing|wants?|tries|orders?|directs?)
    \ (?:you|the\ (?:agent|assistant|model)|it|claude)\ to\ [^.;:]{0,120},\ *$
";

/// A verb of detection, and an example of what is detected.
pub(super) const DETECTS: &str = r"(?x)
    \b(?:detects?|flags?|catch(?:es)?|filters?|screens?\ for|scans?\ for)\ [\x22'(]*$
  | \b(?:detect|block|flag|filter|catch|reject|screen)(?:s|es|ed|ing|ting|ging|ning)?\ (?:[^.;:]{0,90},?\ \(?)?
    (?:such\ as|like|including|e\.g\.,?|for\ example,?|for\ instance,?)[^.;:]{0,80}$
";

/// What a program has and a list of settings has not.
pub(super) const PROGRAM: &str = r"(?m)^\s*(?:const|let|var|await|import|from|def|return|async|class|func|fn)\s";
