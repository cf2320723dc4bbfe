package dev.ligeiro.gateway.api.statement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.ligeiro.gateway.api.statement.StatementFile.Form;
import dev.ligeiro.gateway.api.statement.StatementFile.Head;
import dev.ligeiro.gateway.api.statement.StatementFile.Line;
import dev.ligeiro.gateway.api.statement.StatementStore.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.view.Timestamps;
import java.io.StringReader;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.SAXException;

/** A statement of two entries that is written in three parts. */
class StatementFileTest {

    private static final LocalDate DAY = LocalDate.parse("2026-11-21");
    private static final TransactionId CASHIN =
            new TransactionId(UUID.fromString("01a1fe4e-0167-796a-8f30-506793ddb17b"));
    private static final long CLOSING = 67_90;

    private static Line cashin() {
        Instant at = Instant.parse("2026-11-21T13:31:28.630Z");
        Entry entry = new Entry("evt_01a1fe4e0167796a8f30506793ddb17b_2", at, CASHIN, "cashin", 150_75, -1_51);
        return new Line(entry, 99_24, "E99999999202611211331aB3dE5fG7hK");
    }

    private static Line refund() {
        Instant at = Instant.parse("2026-11-21T13:40:28.630Z");
        Entry entry = new Entry("refund_01a1fe60-1111-7222-8333-444455556666", at, CASHIN, "refund", -31_34, 0);
        return new Line(entry, CLOSING, "");
    }

    private static Head head(boolean isFinal, String zone) {
        ZoneId id = ZoneId.of(zone);
        return new Head(
                Tenant.of(12, Mode.LIVE),
                DAY.atStartOfDay(id).toInstant(),
                DAY.plusDays(1).atStartOfDay(id).toInstant(),
                -50_00,
                CLOSING,
                isFinal,
                Instant.parse("2026-11-21T15:00:00.123Z"),
                id,
                new Timestamps(id));
    }

    private static String file(String suffix, Head head) {
        StatementFile file = Form.ALL.stream()
                .filter(form -> form.suffix().equals(suffix))
                .findFirst()
                .orElseThrow()
                .begin()
                .apply(head);
        return new String(file.part(List.of(cashin()), true, false), UTF_8)
                + new String(file.part(List.of(refund()), false, false), UTF_8)
                + new String(file.part(List.of(), false, true), UTF_8);
    }

    /** Read by ofxtools 1.1.1 on 2026-11-30, as were the others of this test. */
    @Test
    void ofxHasEachEntryAndBothBalances() {
        assertThat(file(".ofx", head(true, "America/Sao_Paulo")))
                .isEqualTo(
                        """
                        <?xml version="1.0" encoding="UTF-8"?>\
                        <?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\
                        <OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY><MESSAGE>OK</MESSAGE></STATUS>\
                        <DTSERVER>20261121120000[-3]</DTSERVER><LANGUAGE>POR</LANGUAGE></SONRS></SIGNONMSGSRSV1>\
                        <BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID>\
                        <STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY><MESSAGE>final</MESSAGE></STATUS>\
                        <STMTRS><CURDEF>BRL</CURDEF>\
                        <BANKACCTFROM><BANKID>LIGEIRO</BANKID><ACCTID>12-live</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>\
                        <BANKTRANLIST><DTSTART>20261121000000[-3]</DTSTART><DTEND>20261121235959[-3]</DTEND>
                        <STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261121103128[-3]</DTPOSTED><TRNAMT>149.24</TRNAMT>\
                        <FITID>evt_01a1fe4e0167796a8f30506793ddb17b_2</FITID><REFNUM>E99999999202611211331aB3dE5fG7hK</REFNUM>\
                        <NAME>cashin</NAME><MEMO>01a1fe4e-0167-796a-8f30-506793ddb17b 150.75 commission -1.51</MEMO></STMTTRN>
                        <STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20261121104028[-3]</DTPOSTED><TRNAMT>-31.34</TRNAMT>\
                        <FITID>refund_01a1fe60-1111-7222-8333-444455556666</FITID>\
                        <NAME>refund</NAME><MEMO>01a1fe4e-0167-796a-8f30-506793ddb17b -31.34 commission 0.00</MEMO></STMTTRN>
                        </BANKTRANLIST><LEDGERBAL><BALAMT>67.90</BALAMT><DTASOF>20261121235959[-3]</DTASOF></LEDGERBAL>\
                        <BALLIST><BAL><NAME>opening_balance</NAME><DESC>Opening balance</DESC><BALTYPE>DOLLAR</BALTYPE>\
                        <VALUE>-50.00</VALUE><DTASOF>20261121000000[-3]</DTASOF></BAL></BALLIST>\
                        </STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>""");
    }

    @ParameterizedTest
    @CsvSource({"UTC, 20261121150000[0]", "Asia/Kolkata, 20261121203000[5.50]"})
    void ofxHasTheTimesOfTheZone(String zone, String made) {
        assertThat(file(".ofx", head(false, zone)))
                .contains("<DTSERVER>" + made + "</DTSERVER>", "<MESSAGE>not final", "<DTEND>" + made + "</DTEND>");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void camtFollowsItsSchemaAndHasAClosingBalanceOnceItIsFinal(boolean isFinal) throws Exception {
        String camt = file(".xml", head(isFinal, "America/Sao_Paulo"));

        schema().newValidator().validate(new StreamSource(new StringReader(camt)));
        assertThat(camt)
                .contains(
                        "<Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy=\"BRL\">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>",
                        "<Amt Ccy=\"BRL\">149.24</Amt><CdtDbtInd>CRDT</CdtDbtInd>",
                        "<Amt Ccy=\"BRL\">31.34</Amt><CdtDbtInd>DBIT</CdtDbtInd>",
                        "<EndToEndId>E99999999202611211331aB3dE5fG7hK</EndToEndId>",
                        "id refund_01a1fe60-1111-7222-8333-444455556666, gross -31.34, commission 0.00");
        assertThat(camt.contains("<Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy=\"BRL\">67.90</Amt>"))
                .isEqualTo(isFinal);
        assertThat(camt.contains("Not final")).isEqualTo(!isFinal);
    }

    private static Schema schema() throws SAXException {
        return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(
                        Objects.requireNonNull(StatementFileTest.class.getResource("/statement/camt.053.001.08.xsd")));
    }

    @Test
    void camtIsNotEndedIfItsEntriesDoNotLeadToItsClosingBalance() {
        StatementFile file = new CamtStatement(head(true, "UTC"));

        assertThatIllegalStateException().isThrownBy(() -> file.part(List.of(cashin()), true, true));
    }
}
