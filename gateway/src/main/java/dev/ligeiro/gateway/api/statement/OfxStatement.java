package dev.ligeiro.gateway.api.statement;

import static dev.ligeiro.transaction.Amount.decimal;

import dev.ligeiro.gateway.api.statement.StatementStore.Entry;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A statement as OFX 2.2, which is XML. Its closing balance comes after the entries and is the one after the last of them, so they add up also
 * while entries are added; the message of the status says whether the days are final.
 */
final class OfxStatement extends XmlStatement {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");
    private static final int SECONDS_OF_HOUR = 3_600;

    OfxStatement(Head head) {
        super(head);
    }

    @Override
    void begin(XMLStreamWriter to) throws XMLStreamException {
        to.writeProcessingInstruction(
                "OFX", "OFXHEADER=\"200\" VERSION=\"220\" SECURITY=\"NONE\" OLDFILEUID=\"NONE\" NEWFILEUID=\"NONE\"");
        open("OFX", "SIGNONMSGSRSV1", "SONRS");
        status("OK");
        text("DTSERVER", time(head.madeAt()));
        text("LANGUAGE", "POR");
        close(2);
        open("BANKMSGSRSV1", "STMTTRNRS");
        text("TRNUID", "0");
        status(head.isFinal() ? "final" : "not final: entries may still be added");
        open("STMTRS");
        text("CURDEF", CURRENCY);
        open("BANKACCTFROM");
        text("BANKID", "LIGEIRO");
        text("ACCTID", head.account());
        text("ACCTTYPE", "CHECKING");
        close(1);
        open("BANKTRANLIST");
        text("DTSTART", time(head.from()));
        text("DTEND", time(head.end()));
    }

    private void status(String message) throws XMLStreamException {
        open("STATUS");
        text("CODE", "0");
        text("SEVERITY", "INFO");
        text("MESSAGE", message);
        close(1);
    }

    @Override
    void entry(XMLStreamWriter to, Line line) throws XMLStreamException {
        Entry entry = line.entry();
        open("STMTTRN");
        text("TRNTYPE", entry.net() < 0 ? "DEBIT" : "CREDIT");
        text("DTPOSTED", time(entry.at()));
        text("TRNAMT", decimal(entry.net()));
        text("FITID", entry.id());
        if (!line.endToEndId().isEmpty()) {
            text("REFNUM", line.endToEndId());
        }
        text("NAME", entry.type());
        text(
                "MEMO",
                entry.transactionId() + " " + decimal(entry.gross()) + " commission " + decimal(entry.commission()));
        close(1);
    }

    @Override
    void end(XMLStreamWriter to) throws XMLStreamException {
        close(1);
        open("LEDGERBAL");
        text("BALAMT", decimal(balance));
        text("DTASOF", time(head.end()));
        close(1);
        open("BALLIST", "BAL");
        text("NAME", "opening_balance");
        text("DESC", "Opening balance");
        text("BALTYPE", "DOLLAR");
        text("VALUE", decimal(head.opening()));
        text("DTASOF", time(head.from()));
    }

    /** In the installation's zone, since most programs take the date from it as it stands. */
    private String time(Instant at) {
        ZonedDateTime local = at.atZone(head.zone());
        int seconds = local.getOffset().getTotalSeconds();
        String offset = seconds % SECONDS_OF_HOUR == 0
                ? Integer.toString(seconds / SECONDS_OF_HOUR)
                : BigDecimal.valueOf(seconds)
                        .divide(BigDecimal.valueOf(SECONDS_OF_HOUR), 2, RoundingMode.HALF_EVEN)
                        .toPlainString();
        return TIME.format(local) + "[" + offset + "]";
    }
}
