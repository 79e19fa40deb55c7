//! Four bytes in a row that are common in text.
//!
//! A literal is looked for by four of its bytes. Where these stand in every other sentence, as `ment` and `with` do, most
//! places that the filter lets through are none of the literal. Single letters do not tell which those are.

/// How common four bytes are: higher for those that are more common, 0 for all that are not in the table.
pub(super) struct Ranks(Vec<u16>);

/// So many bits has the hash of four bytes. A collision makes a choice worse, never wrong.
const BITS: u32 = 14;

impl Ranks {
    pub(super) fn new() -> Self {
        let mut ranks = vec![0; 1 << BITS];
        let quads = COMMON.iter().rev().flat_map(|row| row.as_bytes().as_chunks::<4>().0.iter().rev());
        for (rank, quad) in (1..).zip(quads) {
            ranks[place(*quad)] = rank;
        }
        Self(ranks)
    }

    pub(super) fn of(&self, quad: [u8; 4]) -> u16 {
        self.0[place(quad)]
    }
}

fn place(quad: [u8; 4]) -> usize {
    (u32::from_le_bytes(quad).wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS)) as usize
}

/// Of the four bytes that literals of rules have, those that are common in instructions for agents, counted in 17 MB of
/// them, in lower case and with single spaces: the most common first.
const COMMON: [&str; 46] = [
    "tion---- thethe ing atioion and  and con to ment forent  profor ions com usectiowith wit in contate tingcomp is ",
    "ith sion or hat  of  youuserportted ableworke thscriratiemen resforments stas thcommenti notuse ity datacripript",
    "ons  thae cofilegentageninteactitest thienceontethatnot ringtiveicatdingturereatrequconfs anectithisrateare n th",
    " wornce textconscatimodee re exp filstathttpservfrom percesscreaance fro dat apponfijectcodeble install hen his ",
    "rom ning aretern modormatent chayou toolure nterore  if erats inlityt thnten pre reae intati insng test dateated",
    "overevertimeprovage singchanwhenlists to tra secessiort viewers bashttpsreadlinerity creng ater icalssio auts://",
    "tps:onalps:/ser  can as es ae annfigattenal e prsigns fother it backverskill codract allt coour equi be your rep",
    "quesilitecurred baseidenchecstemprom runstruheckout latet reange agestraed tystestrientastordentsystquirompluest",
    "bilisecu doc acctrucructrectsagevideoperventeveluiremati by tracode ver estiopenumen eveturnauthcan revit insed ",
    "in t toopliccallcal  manrmat.comf thon t pri reckingr threpoonstequee to disile oundcturctivsessill errorrortate",
    "atesendeer t an hangder d thstandescatchash or and trent(httloadthine deine very](ht revcuriessates allyrompd in",
    "omptticatoryr coerved tos comainhingdocuherecumeocumstepurited accesjsononlyext ery eviet tomarkidatautos rentex",
    "lingust ight systratapplrespe use fondererviher ient refase ersiouldprocrecoforeokenriescateontrnd ainpunputces ",
    "viceaccetranpresre aspon quememollowroceilesstarruleon st prmesstaskpersressaturirecof tssagransespould diree se",
    "to t loger atokelicamporemortartusin baso thneedor cingsnd sines timerna keythroimpoeforpendndinthubithugithr re",
    "nly mory neet anpons devist ial dersitoract  newverilocatrinis aelin no ide ed ianneplatriteor spasswritcom/denc",
    "urn ead each lisonsen reuleshe fbefopdatnstrupda onlach asse at  attany posiuctinew ocesse ter smandveloalitng i",
    "te aleteent.rvicthentabl overe texecointe fied b any do t foper tialon pentepoin infppliexplrsioappr dirrun ppro",
    "undedeveoolsistielopselfte tfiguigur true ofe padownn inatorquercurrtor iderniticrosy thctede moommalearace r in",
    "postn't led ougher introurretandl coed fat tnd pmmanistehe ut strrenatinsideng pin a whion ftricget api  scaosit",
    "lienothee maify end uratis thitendarcleatempommi decmmitegraes ins ahe tstericesy cosistwordcliesentave erifrnal",
    "y recovediscthouremeirstfirsartiontanabl foltem ite info remcialextehe dset  souen t shaconv tast beime s oraint",
    " rulfactcannor pdepe inv pasdiffmissshou upd exetch nford prhoulual y antrueal cwillceptonveolictoreguidocalorde",
    "ork terssurefullal srainize scherderhighmberollotrail reemailicithemimitallenents prariae teonsireveknowng f reg",
    "nmenmail messt ahead wiln tosive texginguerytrolalizhavelter memtorito c var muses omustays  delremohoutt caassi",
    "t des dermanaudiersoermirossconc aborsonlimigates bemagewaitart or ruali havtermr prrageteramethool thorissiints",
    "ckerfollrgetposentia monimagth aiblentifdelior mntico non prt ofst pe chroveask ailst maoritming sese oris sitho",
    "evalvariythothonpythplaystedull ed preamd bynd mse aeed reston rstioemplntiodel tifimancader cast seafteis iadd ",
    "ake al aliveindee dido nve tn stinitopicmit allouthore csonaugh re sfiltthesclauntitsecter pfter minle amakele t",
    "doesisco guiedithe lsten htte daulatr ane beinatng drustich d seguraeacts frn beer rlogiude rounmpt rackertilike",
    "ve aneveinalmplassinedgeild  fraeen gresr toteamnnelse castee me mornt idecinverwaysginer delaudaudeplaceredttin",
    "ymenl ine tro remprom th mis seecorrduleto plinkasksreallace makhaviublibehaon mass enabminipipesiblsafecordonme",
    "und eati teaironr seizedsizeockenextggerestrto renviehav sighooknodeappeilteoad fficst c audnvirviroom t behrend",
    "er fy toe wond ore palwahoriaineperigramronmuidehosthtmltantonce knoeadetifyto dng m awacharal porintityitleis c",
    " beton'tlwaytitlntravisiot ascora reise ger s secret aftmoveove icitat snge  likroletorshanns iso corst ete emot",
    "nes  offrifyer egistn sents.esseheseer wecrein c nonistrsitecolotualrootantiembeshipbounivatse ilizetakeeep iabl",
    "don' nevt ons macolle loon epingoice.jsormins.mdivescursof areplitind exticewingt doriorte se scut toes rancoss ",
    "falsalseudital i askgle chedsee ortee fre noundavoidin psticind prioer dt mekeepst ruthe-pro limocust fit alcryp",
    "ryptolorndexe aloriz.orgin sergehentenciear focuprivewororieon bat cnsidsecratabocatt tes alpplyng -zed yinglong",
    "abasorg/igged ofn ofly ts lie yodeleer msendll tbreaeracjavawareineretchent_it ce asinvokdowtrusclosd paignaibil",
    "tche ordte iacrol pre pe bese imearnnthrt as alwion/riggtrigtabaanthraceguarookss pa enan yotendecorhropit tsati",
    "eal ropiimat safe agowinaceser bersavingepos booidesick l anwer rediettiou afici encordseletfetcxplil thensust o",
    "y stt mode tiorintlyacksy folopemote evadit loudnsurologentlll c/conct triab hararkdrds rkdourso gatto mrtinll a",
    "ply rsorce outessteah revoic carledgcredgginkensnd blainclous dofirmt yourl esteplaiededuardou cemptrecepermt di",
    "t vaasswaried asandie aueadyct atop ratoabel emaly wdispeedemitssworr foen ias trivasswoire laben usreakmastl st",
    " terlegaxterogler motweeeragt acgoogooglity.windong loggleadoid es dns fctuaoninvateaminards bouuct nfirs yollin",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_made_of_four_bytes_each() {
        assert!(COMMON.iter().all(|row| row.is_ascii() && row.len() % 4 == 0));
    }

    #[test]
    fn what_is_more_common_ranks_higher() {
        let ranks = Ranks::new();
        assert!(ranks.of(*b"ment") > ranks.of(*b"pass") && ranks.of(*b"pass") > 0);
        assert_eq!(ranks.of(*b"jail"), 0);
    }
}
