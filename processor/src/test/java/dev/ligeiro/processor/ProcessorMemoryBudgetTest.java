package dev.ligeiro.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.Requester;
import dev.ligeiro.transaction.Transaction;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.unit.DataSize;

/** What a processor holds at once, in bytes, fits into the smallest heap with room for the classes' own objects. */
class ProcessorMemoryBudgetTest {

    private static final long KB = 1024;
    private static final long MB = 1024 * KB;

    /** {@code infra/run} gives this one. */
    private static final long HEAP_MIN = 104 * MB;
    /** The rest is for the objects of the service itself: 33 MB. */
    private static final double SHARE_MAX = 0.68;

    private static final int POLL_RECORDS_MAX = 500;
    /** The command of the largest new transaction. */
    private static final long COMMAND_MAX = 12 * KB;

    private static final long FETCH_MAX = 2 * MB;
    /** Of the books. */
    private static final long BOOKS_FETCH_MAX = 256 * KB;

    private static final int BOOKS_RECORDS_MAX = 250;
    private static final long PRODUCER_BUFFER = 8 * MB;
    /** The largest reply of MongoDB, if all transactions of a part are much larger than those before. */
    private static final long MONGODB_REPLY = 16 * MB;
    /** A transaction with one refund, all texts at their maximum, and the objects around them. */
    private static final long RAIL_CALL = 6 * KB;
    /** A movement of a rail's list and its posting, with the documents that they were read from. */
    private static final long MOVEMENT = 2 * KB;
    /** Of a page of a bank's list: a payment or refund takes more than 250 bytes of {@link ProcessorMemoryBudget#BANK_ANSWER}. */
    private static final long MOVEMENTS = 500;
    /** The simulator and a live rail. */
    private static final int RAILS = 2;
    /** Of Reactor Netty, on up to four processors. */
    private static final int EVENT_LOOPS = 4;
    /** The body and its tree, which has 5.2 times as many bytes (100 payments with a refund each, JDK 17, 2026-11-26). */
    private static final int DECODED = 7;

    @Test
    void allSharesTogetherFitIntoTheSmallestHeap() {
        // one fetch is read while the next one arrives
        long fetched = 2 * FETCH_MAX + POLL_RECORDS_MAX * COMMAND_MAX;
        // up to three times the BSON of a transaction: the document, its decoded and its changed form; then the updates
        // and events
        long part = (3 + 2) * ProcessorMemoryBudget.PART;
        long railCalls =
                RAILS * (ProcessorMemoryBudget.SUBMISSIONS_MAX + ProcessorMemoryBudget.INQUIRIES_MAX) * RAIL_CALL;

        // a call for a payload location is among the rail calls, and a block of locations has 10 kB
        long banks =
                2 * ProcessorMemoryBudget.NOTICES_UNDER_WAY + EVENT_LOOPS * DECODED * ProcessorMemoryBudget.BANK_ANSWER;

        // the documents and the decoded transactions
        long listed = 3 * ProcessorMemoryBudget.LISTED;

        // an event is as large as the command of its transaction; a posting is small
        long books = 2 * BOOKS_FETCH_MAX + BOOKS_RECORDS_MAX * COMMAND_MAX;

        // of two pages, with the postings of one
        long compared = 2 * MOVEMENTS * MOVEMENT;

        long waiting = ProcessorMemoryBudget.CASHOUTS_WAITING;

        assertThat(waiting
                        + fetched
                        + books
                        + MONGODB_REPLY
                        + part
                        + PRODUCER_BUFFER
                        + railCalls
                        + banks
                        + listed
                        + compared)
                .isLessThanOrEqualTo((long) (SHARE_MAX * HEAP_MIN));
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
                .isEqualTo(POLL_RECORDS_MAX);
        assertThat(settings.getRequiredProperty(consumer + "properties.fetch.max.bytes", Long.class))
                .isEqualTo(FETCH_MAX);
        assertThat(DataSize.parse(settings.getRequiredProperty("spring.kafka.producer.buffer-memory"))
                        .toBytes())
                .isEqualTo(PRODUCER_BUFFER);
    }

    @Test
    void theLargestCommandIsWithinTheBudget() {
        Transaction transaction = Transactions.largest();
        TransactionCommand largest = new TransactionCommand.Process(Transaction.create(
                transaction.id(),
                transaction.tenant(),
                transaction.operation(),
                transaction.terms(),
                "key-1",
                new Requester(new UUID(1, 1), new UUID(1, 1))));

        assertThat(MessageJson.write(largest)).hasSizeLessThanOrEqualTo((int) COMMAND_MAX);
    }
}
