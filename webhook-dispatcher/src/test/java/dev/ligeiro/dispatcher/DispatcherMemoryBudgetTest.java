package dev.ligeiro.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import dev.ligeiro.view.WebhookPayload;
import java.io.IOException;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bson.BsonBinaryWriter;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertyResolver;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.unit.DataSize;

class DispatcherMemoryBudgetTest {

    private static final long MEGABYTE = 1 << 20;
    /** That of {@code infra/run}. */
    private static final long SMALLEST_HEAP = 128 * MEGABYTE;

    /** A record besides its value. */
    private static final long RECORD_BYTES = 600;
    /** A delivery without its payload: in a lane's window, in an attempt batch, or as a result that waits to be written. */
    private static final long ROW_BYTES = 400;

    private static final long RESULT_BYTES = 500;
    /** A usual endpoint: the only size here that is not the largest. */
    private static final long ENDPOINT_BYTES = 2 * 1024;
    /** One with ten long headers. */
    private static final long LARGEST_ENDPOINT_BYTES = 20 * 1024;
    /** Decoded, a transaction takes this many times its bytes. */
    private static final int DECODED_FACTOR = 4;
    /** As the processor creates the topic. */
    private static final int PARTITIONS = 24;
    /** As the gateway allows. */
    private static final int MERCHANT_ENDPOINTS_MAX = 20;

    @Test
    void withTheDefaultSettingsEverythingFitsIntoTheSmallestHeap() throws IOException {
        Map<String, Long> items = items(defaults(), SMALLEST_HEAP);

        long sum = sum(items);
        assertThat(sum).as("%s", items).isLessThan(SMALLEST_HEAP * DispatcherMemoryBudget.SHARE_MAX_PERCENT / 100);
        assertThat(sum - items.getOrDefault("attempts", 0L))
                .as("%s", items)
                .isLessThanOrEqualTo(DispatcherMemoryBudget.OTHER_BYTES_MAX);
    }

    @Test
    void oneMerchantUsesUpAThirdOfTheSmallestHeapAtMost() throws IOException {
        Map<String, Long> items = itemsOfOneMerchant(defaults(), SMALLEST_HEAP);

        assertThat(sum(items)).as("%s", items).isLessThan(SMALLEST_HEAP / 3);
    }

    /** The most bytes of each kind of work, by its name. */
    private static Map<String, Long> items(PropertyResolver settings, long heap) {
        return items(settings, number(settings, "ligeiro.webhook.lane.claimed-max"), attempts(settings, heap));
    }

    /** The same if one merchant has caused all of it, in one mode: all records of the batches, its lanes, and its share of the attempts. */
    private static Map<String, Long> itemsOfOneMerchant(PropertyResolver settings, long heap) {
        long attempts = attempts(settings, heap)
                * number(settings, "ligeiro.webhook.in-flight-per-tenant-max")
                / number(settings, "ligeiro.webhook.in-flight-max");
        return items(settings, MERCHANT_ENDPOINTS_MAX, attempts);
    }

    private static long attempts(PropertyResolver settings, long heap) {
        return DispatcherMemoryBudget.attemptsMax((int) number(settings, "ligeiro.webhook.in-flight-max"), heap);
    }

    private static Map<String, Long> items(PropertyResolver settings, long lanes, long attempts) {
        long batchRecords = number(settings, "spring.kafka.consumer.max-poll-records");
        // the windows of all endpoints grow by half of the attempts at most
        long windowRows =
                2 * DispatcherMemoryBudget.WINDOW_BATCHES * (lanes * DispatcherMemoryBudget.WINDOW_MIN + attempts / 2);
        long partRows = DispatcherMemoryBudget.RUNNING_BATCHES_MAX * DispatcherMemoryBudget.BATCH_DELIVERIES_MAX;
        int batches = 1 + DispatcherMemoryBudget.BATCH_SHARE_MAX / DispatcherMemoryBudget.BATCH_SHARE_MIN;
        Map<String, Long> items = new LinkedHashMap<>();
        items.put(
                "fetched from Kafka",
                PARTITIONS * number(settings, "spring.kafka.consumer.properties.max.partition.fetch.bytes")
                        + number(settings, "spring.kafka.consumer.properties.fetch.max.bytes"));
        // a third batch is polled and waits for room
        items.put(
                "batches",
                (DispatcherMemoryBudget.RUNNING_BATCHES_MAX + 1)
                        * batchRecords
                        * (DispatcherMemoryBudget.EVENT_BYTES_MAX + RECORD_BYTES));
        items.put(
                "parts of batches",
                DispatcherMemoryBudget.RUNNING_BATCHES_MAX * 2 * DispatcherMemoryBudget.PART_BYTES_MAX
                        + partRows * 2 * ROW_BYTES);
        items.put(
                "endpoints of parts",
                DispatcherMemoryBudget.RUNNING_BATCHES_MAX
                        * (2 * DispatcherMemoryBudget.ENDPOINT_BYTES_MAX
                                + DispatcherMemoryBudget.ENDPOINTS_READ_MAX * LARGEST_ENDPOINT_BYTES));
        items.put(
                "lanes",
                windowRows * ROW_BYTES
                        + lanes * ENDPOINT_BYTES
                        + DispatcherMemoryBudget.LANE_PAYLOADS_MAX * DispatcherMemoryBudget.EVENT_BYTES_MAX);
        items.put(
                "reads of payloads",
                (DispatcherMemoryBudget.TRANSACTIONS_READ_MAX + DECODED_FACTOR)
                                * DispatcherMemoryBudget.TRANSACTION_BYTES_MAX
                        + DispatcherMemoryBudget.PAYLOADS_READ_MAX * DispatcherMemoryBudget.EVENT_BYTES_MAX);
        items.put("results to be written", (windowRows / 2 + partRows) * RESULT_BYTES);
        items.put(
                "responses",
                (DispatcherMemoryBudget.WAITING_RESPONSES_MAX
                                + (long) batches * DispatcherMemoryBudget.BATCH_RESPONSES_MAX)
                        * 2
                        * DispatcherMemoryBudget.KEPT_RESPONSE_BYTES_MAX);
        items.put("dead letters", size(settings, "spring.kafka.producer.buffer-memory"));
        items.put("attempts", attempts * DispatcherMemoryBudget.ATTEMPT_BYTES_MAX);
        return items;
    }

    private static long number(PropertyResolver settings, String key) {
        return settings.getRequiredProperty(key, Long.class);
    }

    private static long size(PropertyResolver settings, String key) {
        return DataSize.parse(settings.getRequiredProperty(key)).toBytes();
    }

    private static long sum(Map<String, Long> items) {
        return items.values().stream().mapToLong(bytes -> bytes).sum();
    }

    @ParameterizedTest
    @CsvSource({"512, 128, 283", "100, 128, 100", "512, 307, 512", "5000, 307, 1341", "512, 64, 64", "10, 64, 10"})
    void aSmallHeapAllowsFewerAttempts(int wanted, long heapMegabytes, int attempts) {
        assertThat(DispatcherMemoryBudget.attemptsMax(wanted, heapMegabytes * MEGABYTE))
                .isEqualTo(attempts);
    }

    @ParameterizedTest
    @CsvSource({
        // records of at most 500, their bytes, deliveries, bytes of endpoints, share
        "500, 1000, 10, 1000, 1000",
        "50, 524288, 10, 1000, 500",
        "50, 1000, 250, 1000, 250",
        "50, 1000, 10, 786432, 750",
        "1, 1, 1, 1, 50",
        // a single record, or the endpoints of a single merchant, may be larger
        "1, 2000000, 1, 1, 1000",
    })
    void theShareOfABatchIsThatOfItsLargestSize(
            int records, long recordBytes, int deliveries, long endpointBytes, int share) {
        assertThat(DispatcherMemoryBudget.batchShare(records, 500, recordBytes, deliveries, endpointBytes))
                .isEqualTo(share);
    }

    @Test
    void theLargestTransactionAndItsEventsAndPayloadsKeepToTheirSizes() {
        WebhookPayload payload = new WebhookPayload(new TransactionView(
                new Timestamps(ZoneId.of("America/Sao_Paulo")), "https://pagamentos.example.com.br"));
        Transaction largest = Transactions.largest();

        assertThat(bson(largest)).isLessThanOrEqualTo(DispatcherMemoryBudget.TRANSACTION_BYTES_MAX);
        for (int sequence = 1; sequence <= largest.history().sequence(); sequence++) {
            TransactionEvent event = TransactionEvent.of(largest, sequence);
            assertThat((long) MessageJson.write(event).length)
                    .isLessThanOrEqualTo(DispatcherMemoryBudget.EVENT_BYTES_MAX);
            assertThat((long) payload.of(event).length).isLessThanOrEqualTo(DispatcherMemoryBudget.EVENT_BYTES_MAX);
        }
    }

    private static long bson(Transaction transaction) {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        new TransactionCodec()
                .encode(
                        new BsonBinaryWriter(bytes),
                        transaction,
                        EncoderContext.builder().build());
        return bytes.getSize();
    }

    private static PropertyResolver defaults() throws IOException {
        MutablePropertySources sources = new MutablePropertySources();
        new YamlPropertySourceLoader()
                .load("defaults", new ClassPathResource("application.yml"))
                .forEach(sources::addLast);
        return new PropertySourcesPropertyResolver(sources);
    }
}
