package dev.ligeiro.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.gateway.qrcode.QrCodeImage;
import dev.ligeiro.gateway.store.LongReadProperties;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.History;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonBinaryWriter;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

class GatewayMemoryBudgetTest {

    private static final long HEAP = GatewayMemoryBudget.HEAP_BYTES_MIN;

    @ConfigurationProperties("spring.kafka.producer")
    record Producer(long bufferMemory) {}

    @Test
    void allPartsTogetherTakeLessThanThreeQuartersOfTheSmallestHeap() {
        Map<String, Long> parts = parts();

        assertThat(parts.values().stream().mapToLong(Long::longValue).sum())
                .as("%s", parts)
                .isLessThan(HEAP * 3 / 4);
    }

    private static Map<String, Long> parts() {
        Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("bodies above 4 KiB", GatewayMemoryBudget.largeBodies(HEAP));
        parts.put("checkout pages", GatewayMemoryBudget.checkoutPages(HEAP));
        parts.put("waiting creates", (long) GatewayMemoryBudget.CREATES_WAITING_MAX * GatewayMemoryBudget.CREATE_BYTES);
        // a change holds less than a create
        parts.put("waiting changes", (long) GatewayMemoryBudget.CHANGES_WAITING_MAX * GatewayMemoryBudget.CREATE_BYTES);
        parts.put(
                "the publisher's queue",
                (long) GatewayMemoryBudget.COMMANDS_QUEUED_MAX * GatewayMemoryBudget.NEW_TRANSACTION_BYTES);
        parts.put("the producer", Settings.ofYaml(Producer.class).bufferMemory());
        // read and decoded
        parts.put("the sweeper", 2L * GatewayMemoryBudget.REPUBLISHED_MAX * GatewayMemoryBudget.NEW_TRANSACTION_BYTES);
        // a page is an object, the blocks of its JSON, and the whole of it
        parts.put(
                "replies for lists, exports and feeds, and a page of each",
                GatewayMemoryBudget.repliesMax(HEAP)
                        * (GatewayMemoryBudget.REPLY_BYTES + 3L * 101 * GatewayMemoryBudget.SHOWN_BYTES));
        // rows and lines; a bundle takes the place of a read
        parts.put(
                "exports and bundles",
                (long) LongReadProperties.EXPORT_READS_MAX
                        * Math.max(2 * GatewayMemoryBudget.EXPORT_READ_BYTES, GatewayMemoryBudget.BUNDLE_BYTES));
        parts.put("reads by id", (long) GatewayMemoryBudget.READ_MAX * GatewayMemoryBudget.TRANSACTION_BYTES);
        parts.put("reads by key", (long) GatewayMemoryBudget.HOLDERS_READ_MAX * GatewayMemoryBudget.TRANSACTION_BYTES);
        parts.put("callers", (long) GatewayMemoryBudget.callersMax(HEAP) * GatewayMemoryBudget.CALLER_BYTES);
        parts.put("rate limits", (long) GatewayMemoryBudget.rateLimitsMax(HEAP) * GatewayMemoryBudget.RATE_LIMIT_BYTES);
        parts.put("filters", (long) GatewayMemoryBudget.FILTER_TERMS_MAX * GatewayMemoryBudget.FILTER_TERM_BYTES);
        parts.put("small caches", 5L * GatewayMemoryBudget.SMALL_ENTRIES_MAX * GatewayMemoryBudget.SMALL_ENTRY_BYTES);
        return parts;
    }

    @Test
    void theLargestTransactionsHaveTheirSize() {
        Transaction largest = Transactions.largest()
                .with(Stream.generate(
                                () -> new Entry.ChangeRefused(UUID.randomUUID(), "refund_limit_reached", Instant.now()))
                        .limit(History.REFUSALS_MAX)
                        .toArray(Entry[]::new));
        Transaction created = Transactions.like(Transactions.largest())
                .history(History.begin(Instant.now(), new ChangeRef(UUID.randomUUID(), "k".repeat(255))))
                .build();

        assertThat(bson(largest)).isLessThanOrEqualTo(GatewayMemoryBudget.TRANSACTION_BYTES);
        assertThat(json(largest)).isLessThanOrEqualTo(GatewayMemoryBudget.SHOWN_BYTES);
        assertThat(bson(created)).isLessThanOrEqualTo(GatewayMemoryBudget.NEW_TRANSACTION_BYTES);
    }

    private static int bson(Transaction transaction) {
        BasicOutputBuffer out = new BasicOutputBuffer();
        new TransactionCodec()
                .encode(
                        new BsonBinaryWriter(out),
                        transaction,
                        EncoderContext.builder().build());
        return out.getSize();
    }

    private static int json(Transaction transaction) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            new TransactionView(new Timestamps(ZoneId.of("America/Sao_Paulo")), "https://pix.example.com")
                    .writeFields(json, transaction.snapshot(), QrCodeImage::dataUriBytes);
            json.writeEndObject();
        }
        return out.size();
    }
}
