package dev.ligeiro.gateway.api.list;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.api.list.ReadMatches.Found;
import dev.ligeiro.gateway.http.GatewayProperties;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Payer;
import dev.ligeiro.transaction.PayerRules;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class CsvLinesTest {

    private static final TransactionId THIRD = TransactionId.at(Instant.ofEpochMilli(3));
    private static final TransactionId SECOND = TransactionId.at(Instant.ofEpochMilli(2));
    private static final TransactionSnapshot ROW =
            Transactions.cashin(SECOND, new Amount(100)).snapshot();

    private final CsvLines lines = new CsvLines(Settings.defaults(GatewayProperties.class));

    @Test
    void aCashinHasItsNetAmountItsRefundsAndTheTimeOfItsPayment() {
        Transaction cashin = Transactions.like(Transactions.partlyRefundedCashin())
                .reference("-77")
                .build();

        assertThat(csv(List.of(cashin), true))
                .isEqualTo(
                        "id,date_created,operation,status,amount,commission,net_amount,refunded_amount,paid,finished,"
                                + "expires_at,name,document,email,phone,pix_key,description,reference,extra,platform,e2e_id,txid,fiscal,"
                                + "payer_name,payer_document,payer_mismatch\r\n"
                                + "019cd827-d553-7abc-9def-0123456789ab,2026-03-10 11:30:15,cashin,paid,150.75,1.51,149.24,50.00,"
                                + "2026-03-10 11:31:15,,2026-03-11 11:30:15,Zoë da Conceição,52998224725,zoe@example.com,"
                                + "+5511987654321,,Order 77,'-77,\"order 77\n\"\"quoted\"\" \\ é 😀\","
                                + "7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59,E9988776620260310143114railDEF1,"
                                + "019cd827d5537abc9def0123456789ab,,,,\r\n");
    }

    @Test
    void aCashoutHasItsKeyAndNothingForWhatIsMissing() {
        Transaction cashout = Transactions.like(Transactions.goldenCashout())
                .reference(null)
                .extra(null)
                .fiscal(Map.of("note", "a;b"))
                .build();

        assertThat(csv(List.of(cashout), false))
                .isEqualTo(
                        "019cd827-d553-7abc-9def-0123456789ab,2026-03-10 11:30:15,cashout,pending,150.75,1.51,152.26,0.00,"
                                + ",,2026-03-11 11:30:15,Zoë da Conceição,52998224725,zoe@example.com,+5511987654321,"
                                + "maria@example.com,Order 77,,,7f1c1f0e-0f6d-4a52-9a0e-2f1d2c3b4a59,"
                                + "E1234567820260310143015abcDEF123,,\"{\"\"note\"\":\"\"a;b\"\"}\",,,\r\n");
    }

    @Test
    void aCashinShowsAMerchantThatMayWhoHasPaid() {
        Instant at = Transactions.CREATED_AT;
        Transaction pending = Transactions.like(Transactions.goldenCashin())
                .payerRules(new PayerRules(true, false, true))
                .build();
        Settlement payment = new Settlement("E1", at, Payer.of("=João", "11144477735", null));

        Transaction paid = pending.with(
                new Entry.StatusChanged(Status.PAID, at, Source.RAIL, null, payment, null),
                new Entry.PayerMismatch(at));

        assertThat(csv(List.of(paid), false)).endsWith(",,'=João,***.444.777-**,true\r\n");
    }

    /** An amount is not a text: a minus sign stays as it is. */
    @Test
    void aCommissionAboveTheAmountMakesTheNetAmountNegative() {
        Transaction cashin = Transactions.like(Transactions.goldenCashin())
                .amount(new Amount(101))
                .commission(new Amount(106))
                .build();

        assertThat(csv(List.of(cashin), false)).contains(",1.01,1.06,-0.05,0.00,");
    }

    @Test
    void withoutRowsThereAreTheNamesOnly() {
        assertThat(csv(List.of(), true)).startsWith("id,").hasLineCount(1);
    }

    private String csv(List<Transaction> rows, boolean withNames) {
        return new String(lines.of(rows.stream().map(Transaction::snapshot).toList(), withNames), UTF_8);
    }

    /** Each read begins where the one before has ended. */
    private static Mono<Found> read(@Nullable TransactionId below, List<TransactionId> reads) {
        reads.add(below);
        return Mono.just(
                switch (reads.size()) {
                    case 1, 2 -> new Found(List.of(), 0, THIRD);
                    case 3 -> new Found(List.of(ROW), 0, SECOND);
                    default -> new Found(List.of(), 0, null);
                });
    }

    /** Each read gets three rows. */
    @Test
    void ofLargeDocumentsAReadAsksForFewMoreThanItGets() {
        List<Integer> limits = new ArrayList<>();
        SendExport.Rows export = lines.export((below, limit) -> {
            limits.add(limit);
            return Mono.just(new Found(Collections.nCopies(Math.min(limit, 3), ROW), 0, SECOND));
        });

        for (int i = 0; i < 3; i++) {
            export.next().block();
        }

        assertThat(limits).containsExactly(300, 6, 6);
    }

    @Test
    void readsThatFindNoRowsAreNotTheEnd() {
        List<TransactionId> reads = new ArrayList<>();
        List<byte[]> sent = new ArrayList<>();
        SendExport.Rows export = lines.export((below, limit) -> read(below, reads));

        while (!export.ended) {
            export.next().blockOptional().ifPresent(sent::add);
        }

        assertThat(reads).containsExactly(null, THIRD, THIRD, SECOND);
        assertThat(sent.stream().map(bytes -> new String(bytes, UTF_8)))
                .containsExactly(
                        new String(lines.of(List.of(), true), UTF_8), new String(lines.of(List.of(ROW), false), UTF_8));
        assertThat(export.rows).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "=1+1→'=1+1",
                "=HYPERLINK(\"http://x\")→'=HYPERLINK(\"http://x\")",
                "+1+1→'+1+1",
                "+→'+",
                "-1→'-1",
                "@SUM(A1)→'@SUM(A1)",
                "＝1→'＝1",
                "x;=1→x;'=1",
                "x;;-1;@y→x;;'-1;'@y",
                "x|+1→x|'+1",
                "x;\"=1+1→x;\"'=1+1",
                "x; =1→x; '=1",
                " =1→ '=1"
            })
    void aTextThatCouldBeAFormulaGetsAnApostrophe(String given, String expected) {
        assertThat(CsvLines.cell(given)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t=1", "\r=1", "\n-1"})
    void aTextMayNotBeginWithATabOrALineBreak(String given) {
        assertThat(CsvLines.cell(given)).isEqualTo("'" + given.charAt(0) + "'" + given.substring(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\t=1", "a\n=1", "a\r\n=1"})
    void aLineOrColumnInATextMayBeginACell(String given) {
        assertThat(CsvLines.cell(given)).isEqualTo(given.replace("=1", "'=1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Maria Silva",
                "a=b",
                "1-2",
                "a, =b",
                "maria+1@example.com",
                "{\"a\": -1}",
                "a\r\nb",
                "'=1",
                "+5511987654321",
                "a; b",
                "é 日本 😀"
            })
    void anyOtherTextIsUnchanged(String given) {
        assertThat(CsvLines.cell(given)).isSameAs(given);
    }
}
