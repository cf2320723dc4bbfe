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

class DispatcherMemoryBudgetTest {

    private static final long MEGABYTE = 1 << 20;
    /** That of {@code infra/run}. */
    private static final long SMALLEST_HEAP = 128 * MEGABYTE;

    @Test
    void withTheDefaultSettingsEverythingFitsIntoTheSmallestHeap() throws IOException {
        Map<String, Long> items = DispatcherMemoryBudget.items(defaults(), SMALLEST_HEAP);

        long sum = sum(items);
        assertThat(sum).as("%s", items).isLessThan(SMALLEST_HEAP * DispatcherMemoryBudget.SHARE_MAX_PERCENT / 100);
        assertThat(sum - items.getOrDefault("attempts", 0L))
                .as("%s", items)
                .isLessThanOrEqualTo(DispatcherMemoryBudget.OTHER_BYTES_MAX);
    }

    @Test
    void oneMerchantUsesUpAThirdOfTheSmallestHeapAtMost() throws IOException {
        Map<String, Long> items = DispatcherMemoryBudget.itemsOfOneMerchant(defaults(), SMALLEST_HEAP);

        assertThat(sum(items)).as("%s", items).isLessThan(SMALLEST_HEAP / 3);
    }

    private static long sum(Map<String, Long> items) {
        return items.values().stream().mapToLong(bytes -> bytes).sum();
    }

    @ParameterizedTest
    @CsvSource({"512, 128, 322", "100, 128, 100", "512, 307, 512", "5000, 307, 1380", "512, 64, 64", "10, 64, 10"})
    void aSmallHeapAllowsFewerAttempts(int wanted, long heapMegabytes, int attempts) {
        assertThat(DispatcherMemoryBudget.attemptsMax(wanted, heapMegabytes * MEGABYTE))
                .isEqualTo(attempts);
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
