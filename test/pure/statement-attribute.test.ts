import { describe, expect, it } from 'vitest';
import { attributeIn, supersedes } from '../../src/memory-graph/statements/attribute.ts';

/** Whether the later of two sentences of one speaker takes the place of the earlier. */
function takesPlace(earlier: string, later: string): boolean {
  const [was, is] = [attributeIn(earlier), attributeIn(later)];
  if (was === null || is === null) return false;
  return (
    was.attribute === is.attribute &&
    was.of?.toLowerCase() === is.of?.toLowerCase() &&
    supersedes({ text: later, attribute: is.attribute })
  );
}

describe('the attribute that a sentence gives (docs/decisions/0121)', () => {
  it.each([
    ['Karin runs the booking team.', 'Since Monday Jonas runs the booking team.'],
    [
      'Our staging database is hosted on Hetzner.',
      'Our staging database is hosted on Scaleway now.',
    ],
    ['My physio is called Beata.', 'My new physio is Tamsin Roe.'],
    ['I bank with Nordea.', 'I bank with Revolut these days.'],
    ['My brother lives in Porvoo.', 'My brother moved to Espoo in March.'],
    ['The retry limit of parcel-tracker is 3.', 'The retry limit of parcel-tracker is now 5.'],
    ['We use Jira for planning.', 'We use Linear for planning now.'],
    ['My rent is 820 euros.', 'My rent went up to 910 euros.'],
    ['I weigh 82 kg.', 'I weigh 78 kg.'],
    ['Ines works for Ikea.', 'Vattenfall has hired Ines.'],
    ['Our stand-up is at 9:15.', 'Our stand-up was moved to 10:00.'],
    ['I report to Magda.', 'I report to Olivier from today.'],
    ['My vet is Jonas Falk.', 'I changed my vet to Greta Moe.'],
    ['Our bank is Nordea.', 'We have switched our bank from Nordea to Danske.'],
    ['Mein Tierarzt heißt Falk.', 'Ich habe meinen Tierarzt zu Greta Moe gewechselt.'],
    ['Mi dentista es Falk.', 'He cambiado mi dentista a Greta Moe.'],
    ['Ich wohne in Lübeck.', 'Letzten Monat bin ich nach Kiel gezogen.'],
    ['Meine Physiotherapeutin heißt Beate.', 'Meine neue Physiotherapeutin ist Frau Rohde.'],
    ['Das Lager-Team leitet Karin.', 'Jonas leitet jetzt das Lager-Team.'],
    ['Mein Bruder arbeitet bei Bosch.', 'Mein Bruder arbeitet seit Mai bei Siemens.'],
    ['Meine Miete beträgt 820 Euro.', 'Meine Miete beträgt jetzt 910 Euro.'],
    ['Ich fahre einen Golf.', 'Ich fahre jetzt einen Corsa.'],
    ['Die Laufzeit von lager-sync ist 30 Tage.', 'Die Laufzeit von lager-sync ist jetzt 90 Tage.'],
    ['Vivo en Vigo.', 'El mes pasado me mudé a Lugo.'],
    ['Mi fisioterapeuta se llama Bea.', 'Mi nuevo fisioterapeuta es Tomé Rúa.'],
    ['Carla dirige el equipo de reservas.', 'Ahora Jonás dirige el equipo de reservas.'],
    ['Mi hermano trabaja en Seat.', 'Mi hermano trabaja para Iberia desde mayo.'],
    ['El alquiler de mi piso es de 820 euros.', 'El alquiler de mi piso es ahora de 910 euros.'],
    ['Uso Firefox.', 'Ahora uso Vivaldi.'],
    ['Our accountant is Lotta Pohl.', 'Our accountant is now Mr Brandt.'],
    ['Sanna leads the mobile squad.', 'Rikard has taken over the mobile squad.'],
    ['The backup of the ledger takes 40 minutes.', 'The backup of the ledger takes 25 minutes.'],
    ['I study at Uppsala University.', "I'm studying at Lund University now."],
    ['Filip is dating Noor.', 'Filip is engaged to Saskia.'],
    ['I drive a Skoda.', 'I drive a Polestar now.'],
    ['The kick-off is on Tuesday.', 'The kick-off has been moved to Thursday.'],
    ['My parents live near Bath.', 'My parents relocated to Devon last autumn.'],
    ['Wir wohnen in Jena.', 'Wir sind im Herbst nach Gera umgezogen.'],
    ['Unser Steuerberater ist Herr Pohl.', 'Unser neuer Steuerberater heißt Brandt.'],
    ['Sanna leitet die Abteilung Einkauf.', 'Rikard hat die Abteilung Einkauf übernommen.'],
    ['Der Abgleich dauert 40 Minuten.', 'Der Abgleich dauert nur noch 25 Minuten.'],
    ['Ich bin bei der Sparkasse angestellt.', 'Ich habe im Juni bei der Telekom angefangen.'],
    ['Vivimos en Jaca.', 'Nos hemos mudado a Teruel.'],
    ['Nuestra gestora es Lola Paz.', 'Nuestra nueva gestora se llama Inés Rey.'],
    ['Sanna dirige el proyecto Faro.', 'Ricardo dirige ahora el proyecto Faro.'],
    ['Estudio en la Universidad de Vigo.', 'Ahora estudio en la Universidad de León.'],
    ['Peso 82 kilos.', 'Ahora peso 78 kilos.'],
    ['Our release is on Friday.', 'Our release was moved to 12 June.'],
    ['I pay 40 euros for the gym.', 'I pay 45 euros for the gym.'],
    ['Our office is in Lund.', 'Our office is in Ystad now.'],
    ['The launch is planned for Monday 4 May.', 'The launch slipped to Tuesday 5 May.'],
    ['The page limit is 30.', 'We lowered the page limit to 20.'],
    ['Das Limit ist 30.', 'Wir haben das Limit auf 20 gesenkt.'],
    ['Mi abogado es el doctor Soto.', 'Mi nuevo abogado es la señora Vidal.'],
    ['The service mail-relay runs on host oak-1.', 'mail-relay moved from oak-1 to oak-7.'],
  ])('%j is over by %j', (earlier, later) => {
    expect(takesPlace(earlier, later)).toBe(true);
  });

  it.each([
    ['I like mango ice cream.', 'I like pistachio ice cream.'],
    ['I met Pelle at the fair.', 'I met Greta at the fair.'],
    ['I play in a brass band.', 'I also play in a string quartet.'],
    ['My sister is called Disa.', 'My sister is called Embla.'],
    ['We went to Split in May.', 'We went to Zadar in June.'],
    ['Karin runs the booking team.', 'Jonas runs the parcel team.'],
    ['I have a cat.', 'I have a parrot now.'],
    ['My boss is angry.', 'My boss is in Oslo.'],
    ['I read Middlemarch last week.', 'I read Emma last week.'],
    ['My brother lives in Porvoo.', 'My sister lives in Espoo.'],
    ['Ich mag Kirschen.', 'Ich mag Pflaumen.'],
    ['Ich habe Pelle auf der Messe getroffen.', 'Ich habe Greta auf der Messe getroffen.'],
    ['Ich spiele im Blasorchester.', 'Ich spiele auch im Quartett.'],
    ['Meine Schwester heißt Disa.', 'Meine Schwester heißt Embla.'],
    ['Mein Bruder wohnt in Bonn.', 'Meine Schwester wohnt in Köln.'],
    ['Me gusta el mango.', 'Me gusta la piña.'],
    ['Conocí a Pelle en la feria.', 'Conocí a Greta en la feria.'],
    ['Toco en una banda.', 'También toco en un cuarteto.'],
    ['Mi hermana vive en Lugo.', 'Mi hermano vive en Vigo.'],
    ['I bought a lamp.', 'I bought a carpet.'],
    ['My friend Otto lives in Graz.', 'My friend Ute lives in Linz.'],
    ['My son is 9.', 'My daughter is 6.'],
    ['I love the sea.', 'I love the mountains now.'],
    ['I work with Petra.', 'I work with Milan.'],
    ['The problem is Petra.', 'The problem is Milan.'],
    ['Ich war in Rom.', 'Ich war in Neapel.'],
    ['Mein Sohn ist 9.', 'Meine Tochter ist 6.'],
    ['Ich arbeite mit Petra.', 'Ich arbeite mit Milan.'],
    ['Compré una lámpara.', 'Compré una alfombra.'],
    ['Mi amigo Otto vive en Graz.', 'Mi amiga Ute vive en Linz.'],
    ['Trabajo con Petra.', 'Trabajo con Milan.'],
    ['I work at night.', 'I work at Axis now.'],
    ['The review is on Tuesday.', 'The review is at 15:00.'],
    ['My car is a Volvo.', "My car is at Miller's."],
    ['I pay 40 euros for the gym.', 'I pay 30 euros for the phone.'],
    ['Marco likes me.', 'Marco hates me now.'],
  ])('%j stands beside %j', (earlier, later) => {
    expect(takesPlace(earlier, later)).toBe(false);
  });

  it.each([
    ['I moved to Lund.', 'home', null],
    ['I started a new job at Axis.', 'employer', null],
    ['My husband is called Olle.', 'partner', null],
    ['My new vet is Dr. Sahl.', 'vet', null],
    ['My favorite color is teal.', 'favourite colour', null],
    ['Ich wohne jetzt am Hafen in Kiel.', 'home', null],
    ['Mein neuer Hausarzt heißt Dr. Voss.', 'doctor', null],
    ['Mi color favorito es el azul.', 'favourite colour', null],
    ['Trabajo desde mayo en Seat.', 'employer', null],
    ['The owner of quota-agent is Tove.', 'owner', 'quota-agent'],
    ['The timeout for the audit_log is 40 seconds.', 'timeout', 'audit_log'],
    ['Olle lives in Lund.', 'home', 'Olle'],
    ['Seit Mai gehört ledger-api dem Team Nord.', 'owner', 'ledger-api'],
    ['I work at "Blue Fjord" now.', 'employer', null],
    ['I live in Bergen in my dream house.', 'home', null],
    ["I live in Bergen, maybe I'll buy a boat.", 'home', null],
    ['In May I moved to Bergen.', 'home', null],
    ["I live in Bergen near my friends' farm.", 'home', null],
  ])('%j gives %j of %j', (text, attribute, of) => {
    expect(attributeIn(text)).toMatchObject({ attribute, of });
  });

  it.each([
    'I lived in Lund as a child.',
    'My boss is angry.',
    'My wife, Olle and I sail.',
    'One of my favourite dishes is soup.',
    'If I lived in Lund, I would sail.',
    'I want to live in Lund.',
    'I never worked at Axis.',
    'We may move to Lund.',
    'My wife is Spanish.',
    'Anna and Olle moved to Lund.',
    'I joined a choir.',
    'My sister wrote: I live in Bergen.',
    'Tove says I live in Bergen.',
    '“I live in Bergen”, she said.',
    'Tove: "I work at Equinor."',
    '> I work at Equinor.',
    'Translate to French: I live in Bergen.',
    'Here is the email from Tove: I work at Equinor.',
    'The song goes: I live in Bergen.',
    'In my novel I live in Bergen.',
    'Maybe I live in Bergen next year.',
    'Tove schrieb: Ich wohne in Bergen.',
    'In meinem Roman wohne ich in Bergen.',
    'Vielleicht wohne ich bald in Bergen.',
    'Tove dijo: vivo en Bergen.',
    'En mi novela vivo en Bergen.',
    'Quizás vivo en Bergen el año que viene.',
    'And I live in Bergen now."',
  ])('%j gives none', (text) => {
    expect(attributeIn(text)).toBeNull();
  });
});
