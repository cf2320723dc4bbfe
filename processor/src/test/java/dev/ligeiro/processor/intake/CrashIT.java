package dev.ligeiro.processor.intake;

import static dev.ligeiro.processor.intake.Surroundings.process;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.processor.LiveMode;
import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.RailOutcome;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.SendResult;
import reactor.core.publisher.Mono;

/** The processor dies, or is stopped, between two steps of a batch; the batch comes to its end all the same. */
class CrashIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Surroundings around;

    @BeforeEach
    void open() {
        around = new Surroundings();
    }

    @AfterEach
    void close() {
        around.close();
    }

    @Test
    void eventsOfAStoredChangeAreSentAfterACrashBeforeSending() {
        Transaction cashin = around.stored(Transactions.cashin(new Amount(5011)));

        try (RunningProcessor dying = RunningProcessor.startWith(CrashIT::eventsFail)) {
            await().atMost(TIMEOUT).until(dying::isReady);
            around.send(process(cashin));
            await().atMost(TIMEOUT).until(() -> around.read(cashin.id()).status() == Status.PAID);
        }
        assertThat(around.told(cashin.id())).isEmpty();
        Transaction stored = around.read(cashin.id());

        try (RunningProcessor next = RunningProcessor.start()) {
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(around.told(cashin.id())).containsExactly("1 pending", "2 paid"));
            assertThat(next.isAlive()).isTrue();
        }
        assertThat(around.read(cashin.id())).isEqualTo(stored);
        assertThat(around.events(cashin.id()).get(1).transaction()).isEqualTo(stored);
    }

    @Test
    void aCashoutThatMayHaveBeenSubmittedIsInquiredAndNeverSubmittedAgain() {
        Transaction cashout = around.stored(LiveMode.of(Transactions.cashout(new Amount(15075))));
        CountingRail rail = new CountingRail();

        rail.outcome = Mono.never();
        try (RunningProcessor dying =
                RunningProcessor.startWith(context -> with(context, rail), "ligeiro.intake.batch-timeout=1s")) {
            await().atMost(TIMEOUT).until(dying::isReady);
            around.send(process(cashout));
            await().atMost(TIMEOUT).until(() -> rail.submissions.get() == 1);
        }
        assertThat(around.read(cashout.id()).status()).isEqualTo(Status.IN_PROCESS);

        rail.outcome = Mono.just(new RailOutcome.Settled());
        try (RunningProcessor next = RunningProcessor.startWith(context -> with(context, rail))) {
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(around.told(cashout.id()))
                    .containsExactly("1 pending", "2 in_process", "3 paid"));
            assertThat(next.isAlive()).isTrue();
        }
        assertThat(rail.submissions).hasValue(1);
        assertThat(rail.inquiries.get()).isPositive();
    }

    @Test
    void theBatchInHandIsFinishedBeforeAStop() {
        Transaction cashout = around.stored(LiveMode.of(Transactions.cashout(new Amount(15075))));
        CountingRail rail = new CountingRail();
        rail.outcome = Mono.delay(Duration.ofSeconds(1)).thenReturn(new RailOutcome.Settled());

        try (RunningProcessor stopping = RunningProcessor.startWith(context -> with(context, rail))) {
            await().atMost(TIMEOUT).until(stopping::isReady);
            around.send(process(cashout));
            await().atMost(TIMEOUT).until(() -> rail.submissions.get() == 1);
        }

        assertThat(around.read(cashout.id()).status()).isEqualTo(Status.PAID);
        assertThat(around.told(cashout.id())).containsExactly("1 pending", "2 in_process", "3 paid");
    }

    @Test
    void anUnknownOutcomeStaysInProcess() {
        Transaction cashout = around.stored(LiveMode.of(Transactions.cashout(new Amount(15075))));
        CountingRail rail = new CountingRail();
        rail.outcome = Mono.error(new IllegalStateException("connection reset"));

        try (RunningProcessor processor = RunningProcessor.startWith(context -> with(context, rail))) {
            await().atMost(TIMEOUT).until(processor::isReady);
            around.send(process(cashout));
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(around.told(cashout.id()))
                    .containsExactly("1 pending", "2 in_process"));

            rail.outcome = Mono.just(new RailOutcome.Rejected("account_closed"));
            around.send(process(cashout));
            await().atMost(TIMEOUT).until(() -> around.read(cashout.id()).status() == Status.DENIED);
        }
        assertThat(rail.submissions).hasValue(1);
        assertThat(rail.inquiries).hasValue(1);
        assertThat(around.read(cashout.id()).lastEvent().reason()).isEqualTo("account_closed");
    }

    private static void with(GenericApplicationContext context, PaymentRail rail) {
        context.registerBean("liveRail", PaymentRail.class, () -> rail);
    }

    private static void eventsFail(GenericApplicationContext context) {
        context.registerBean("kafkaTemplate", KafkaTemplate.class, () -> new EventsFail(factory(context)));
    }

    @SuppressWarnings("unchecked")
    private static ProducerFactory<byte[], byte[]> factory(GenericApplicationContext context) {
        return context.getBean(ProducerFactory.class);
    }

    /** A producer whose events never arrive. */
    private static final class EventsFail extends KafkaTemplate<byte[], byte[]> {

        EventsFail(ProducerFactory<byte[], byte[]> factory) {
            super(factory);
        }

        @Override
        public CompletableFuture<SendResult<byte[], byte[]>> send(ProducerRecord<byte[], byte[]> record) {
            throw new KafkaException("injected");
        }
    }

    /** A rail for live transactions that counts what it is asked. */
    private static final class CountingRail implements PaymentRail {

        private final AtomicInteger submissions = new AtomicInteger();
        private final AtomicInteger inquiries = new AtomicInteger();
        private volatile Mono<RailOutcome> outcome = Mono.empty();

        @Override
        public Mode mode() {
            return Mode.LIVE;
        }

        @Override
        public Mono<RailOutcome> submit(Transaction transaction) {
            submissions.incrementAndGet();
            return outcome;
        }

        @Override
        public Mono<RailOutcome> inquire(Transaction transaction) {
            inquiries.incrementAndGet();
            return outcome;
        }
    }
}
