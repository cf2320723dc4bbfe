package dev.ligeiro.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionCommand;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.unit.DataSize;

class ProcessorMemoryBudgetTest {

    /** The rest is for the objects of the service itself: 30 MB. */
    private static final double SHARE_MAX = 0.65;

    @Test
    void allSharesTogetherFitIntoTheSmallestHeap() {
        long sum = ProcessorMemoryBudget.shares().values().stream()
                .mapToLong(bytes -> bytes)
                .sum();

        assertThat(sum).isLessThanOrEqualTo((long) (SHARE_MAX * ProcessorMemoryBudget.HEAP_MIN));
    }

    @Test
    void theSettingsOfKafkasClientAreThoseOfTheBudget() throws IOException {
        MutablePropertySources sources = new MutablePropertySources();
        new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yml"))
                .forEach(sources::addLast);
        PropertySourcesPropertyResolver settings = new PropertySourcesPropertyResolver(sources);
        String consumer = "spring.kafka.consumer.";

        assertThat(settings.getRequiredProperty(consumer + "max-poll-records", Integer.class))
                .isEqualTo(ProcessorMemoryBudget.POLL_RECORDS_MAX);
        assertThat(settings.getRequiredProperty(consumer + "properties.fetch.max.bytes", Long.class))
                .isEqualTo(ProcessorMemoryBudget.FETCH_MAX);
        assertThat(DataSize.parse(settings.getRequiredProperty("spring.kafka.producer.buffer-memory"))
                        .toBytes())
                .isEqualTo(ProcessorMemoryBudget.PRODUCER_BUFFER);
    }

    @Test
    void theLargestCommandIsWithinTheBudget() {
        TransactionCommand largest =
                new TransactionCommand.Process(Transactions.largest().asOf(1));

        assertThat(MessageJson.write(largest)).hasSizeLessThanOrEqualTo((int) ProcessorMemoryBudget.COMMAND_MAX);
    }
}
