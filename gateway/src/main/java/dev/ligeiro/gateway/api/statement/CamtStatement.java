package dev.ligeiro.gateway.api.statement;

import static dev.ligeiro.transaction.Amount.decimal;

import dev.ligeiro.gateway.api.statement.StatementStore.Entry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A statement as camt.053.001.08 (ISO 20022). Its balances come before the entries, and a closing balance is exact only when the days are
 * final: before that it has the opening balance alone, and says at its end that entries may still be added.
 */
final class CamtStatement extends XmlStatement {

    private static final String NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08";
    private static final String ISSUER = "Ligeiro";
    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;
    private static final int REFERENCE_BYTES = 16;

    CamtStatement(Head head) {
        super(head);
    }

    @Override
    void begin(XMLStreamWriter to) throws XMLStreamException {
        open("Document");
        to.writeDefaultNamespace(NAMESPACE);
        open("BkToCstmrStmt", "GrpHdr");
        text("MsgId", id());
        text("CreDtTm", time(head.madeAt()));
        close(1);
        open("Stmt");
        text("Id", id());
        text("CreDtTm", time(head.madeAt()));
        open("FrToDt");
        text("FrDtTm", time(head.from()));
        text("ToDtTm", time(head.end()));
        close(1);
        open("Acct", "Id", "Othr");
        text("Id", head.account());
        text("Issr", ISSUER);
        close(2);
        text("Ccy", CURRENCY);
        close(1);
        balance(to, "OPBD", head.opening(), head.from());
        if (head.isFinal()) {
            balance(to, "CLBD", head.closing(), head.end());
        }
    }

    /** The account and the days. */
    private String id() {
        return head.account() + "-" + DAY.format(head.from().atZone(head.zone()).toLocalDate()) + "-"
                + DAY.format(head.before().minusSeconds(1).atZone(head.zone()).toLocalDate());
    }

    private void balance(XMLStreamWriter to, String code, long cents, Instant at) throws XMLStreamException {
        open("Bal", "Tp", "CdOrPrtry");
        text("Cd", code);
        close(2);
        amount(to, cents);
        open("Dt");
        text("Dt", at.atZone(head.zone()).toLocalDate().toString());
        close(2);
    }

    private void amount(XMLStreamWriter to, long cents) throws XMLStreamException {
        open("Amt");
        to.writeAttribute("Ccy", CURRENCY);
        to.writeCharacters(decimal(Math.abs(cents)));
        close(1);
        text("CdtDbtInd", cents < 0 ? "DBIT" : "CRDT");
    }

    @Override
    void entry(XMLStreamWriter to, Line line) throws XMLStreamException {
        Entry entry = line.entry();
        open("Ntry");
        text("NtryRef", reference(entry.id()));
        amount(to, entry.net());
        open("Sts");
        text("Cd", "BOOK");
        close(1);
        open("BookgDt");
        text("DtTm", time(entry.at()));
        close(1);
        open("BkTxCd", "Prtry");
        text("Cd", entry.type());
        text("Issr", ISSUER);
        close(2);
        open("NtryDtls", "TxDtls", "Refs");
        if (!line.endToEndId().isEmpty()) {
            text("EndToEndId", line.endToEndId());
        }
        text("TxId", entry.transactionId().hex());
        close(3);
        text(
                "AddtlNtryInf",
                "id " + entry.id() + ", gross " + decimal(entry.gross()) + ", commission "
                        + decimal(entry.commission()));
        close(1);
    }

    /** Its ids have up to 35 characters, an entry's id is longer. */
    private static String reference(String entryId) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(entryId.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, REFERENCE_BYTES);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    @Override
    void end(XMLStreamWriter to) throws XMLStreamException {
        if (!head.isFinal()) {
            text(
                    "AddtlStmtInf",
                    "Not final: entries may still be added. Balance after the last entry: " + decimal(balance));
        } else if (balance != head.closing()) {
            throw new IllegalStateException("the entries of a final statement do not lead to its closing balance");
        }
    }

    private String time(Instant at) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                at.truncatedTo(ChronoUnit.SECONDS).atZone(head.zone()));
    }
}
