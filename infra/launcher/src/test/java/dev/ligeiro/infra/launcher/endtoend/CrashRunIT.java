package dev.ligeiro.infra.launcher.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Created;
import dev.ligeiro.infra.launcher.endtoend.ConstantLoad.Recovery;
import dev.ligeiro.testing.brokers.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Kills, freezes and stops processes of a system with three members of each broker and two instances of each service, one and two at a
 * time, while transactions are created, paid and announced. In {@code mvn verify} for about a minute, by {@code mvn verify -Pcrash} for 15
 * minutes; the profile's properties have the seed of the faults, the duration and the rate.
 */
@Order(12)
@Isolated("it uses the whole machine")
@Timeout(3_600)
@Tag("nightly")
class CrashRunIT {

    private static final long SEED = Long.getLong("ligeiro.crash.seed", 1);
    private static final Duration FAULTS_FOR = Duration.ofSeconds(Long.getLong("ligeiro.crash.seconds", 20));
    /** A long run has the settings of operation. */
    private static final boolean IS_LONG = FAULTS_FOR.compareTo(Duration.ofMinutes(5)) >= 0;

    private static final int PER_SECOND = Integer.getInteger("ligeiro.crash.rate", 30);

    /** The gateway's own tests check the promised 3 s; the remaining time is for a busy machine. */
    private static final Duration REFUSED_WITHIN = Duration.ofSeconds(15);

    private static final Duration FREEZE_MAX = Duration.ofSeconds(12);
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(60);
    private static final Duration ANSWERED_WITHIN = Duration.ofMinutes(2);
    private static final Duration WHOLE_WITHIN = Duration.ofMinutes(3);

    /** Leases of killed processes, and the sweepers' pauses, last up to a minute each. */
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(5);

    private static final int FEED_READERS = 4;

    private final Random random = new Random(SEED);
    private final Deque<Fault> deck = new ArrayDeque<>();
    private final SharedSystem ligeiro = new SharedSystem(IS_LONG ? Map.of() : SharedSystem.forTests());

    @BeforeEach
    void start() {
        ligeiro.start(
                "--mongodb-members=3", "--kafka-brokers=3", "--gateway=2", "--processor=2", "--webhook-dispatcher=2");
    }

    @AfterEach
    void stop() {
        ligeiro.stop();
    }

    @Test
    void nothingIsLostDoubledOrLeftUnannounced() {
        System.out.println("CrashRunIT: seed " + SEED);
        EndToEndMerchant merchant = ligeiro.newMerchant();
        try (BrokerMembers members = new BrokerMembers(ligeiro.environment());
                ChangeReceiver receiver = new ChangeReceiver(merchant);
                FeedReaders readers = new FeedReaders(merchant, FEED_READERS);
                ConstantLoad<ExpectedLifecycle> load =
                        new ConstantLoad<>(merchant, PER_SECOND, ExpectedLifecycle::ofNumber)) {
            Recovery recovery = new Recovery(load, receiver);
            load.awaitMore(50);
            loseAllBrokers(members, load, recovery);
            Instant end = Instant.now().plus(FAULTS_FOR);
            while (Instant.now().isBefore(end)) {
                hit(members, recovery);
            }
            Map<String, Created<ExpectedLifecycle>> created = load.end(ANSWERED_WITHIN);

            new CompletenessCheck(merchant, receiver, created).run(SETTLED_WITHIN);
            System.out.printf("CrashRunIT: %d transactions, %d a second%n", created.size(), PER_SECOND);
            readers.requireAllToSee(receiver.ids());
        }
    }

    /**
     * All brokers are frozen, then killed. Without Kafka transactions are created and payments refused. Without MongoDB too, callers get a
     * 503 soon. No service ends.
     */
    private void loseAllBrokers(BrokerMembers members, ConstantLoad<?> load, Recovery recovery) {
        DemoEnv.Pids before = ligeiro.environment().pids();
        EndToEndMerchant other = ligeiro.demoMerchant();
        Instant from = Instant.now();
        before.kafka().forEach(Signal.STOP::send);
        ShownTransaction pending = other.createCashin(other.cashin("10.00"));
        assertThat(other.tryToPay(pending.id()).expect(503).header("Retry-After"))
                .isNotBlank();
        Instant withoutMongodb = Instant.now();
        before.mongod().forEach(Signal.STOP::send);
        await().atMost(NOTICED_WITHIN)
                .until(() -> load.tries(withoutMongodb, Instant.now()).stream().anyMatch(each -> each.status() == 503));
        List<Long> killed =
                Stream.concat(before.kafka().stream(), before.mongod().stream()).toList();
        killed.forEach(Signal.KILL::send);
        awaitWhole(killed, members, recovery);
        Instant until = Instant.now();
        assertThat(load.tries(from, until))
                .allSatisfy(each -> assertThat(each.took()).isLessThan(REFUSED_WITHIN))
                .extracting(ConstantLoad.Try::status)
                .containsOnly(201, 503);
        DemoEnv.Pids after = ligeiro.environment().pids();
        assertThat(after.gateway()).isEqualTo(before.gateway());
        assertThat(after.processor()).isEqualTo(before.processor());
        assertThat(after.webhookDispatcher()).isEqualTo(before.webhookDispatcher());
        Recovery.print("all brokers frozen, then killed", from);
    }

    /** One or two faults at once. Returns when everything runs again. */
    private void hit(BrokerMembers members, Recovery recovery) {
        DemoEnv.Pids pids = ligeiro.environment().pids();
        Map<Long, Fault> faults = new LinkedHashMap<>();
        for (int count = random.nextInt(3) == 0 ? 2 : 1; count > 0; count--) {
            Fault fault = nextFault();
            faults.put(fault.pid(pids, random), fault);
        }
        Duration frozen = Duration.ofMillis(1_000 + random.nextInt((int) FREEZE_MAX.toMillis()));
        Instant from = Instant.now();
        faults.forEach((pid, fault) -> fault.signal().send(pid));
        List<Long> ended = faults.entrySet().stream()
                .filter(each -> each.getValue().signal() != Signal.STOP)
                .map(Map.Entry::getKey)
                .toList();
        if (ended.size() < faults.size()) {
            await().pollDelay(frozen).atMost(frozen.multipliedBy(2)).until(() -> true);
            faults.keySet().stream().filter(pid -> !ended.contains(pid)).forEach(Signal.CONT::send);
        }
        awaitWhole(ended, members, recovery);
        String name = faults.values().stream().map(Fault::toString).collect(Collectors.joining(" and "));
        Recovery.print(name, from);
    }

    private Fault nextFault() {
        if (deck.isEmpty()) {
            deck.addAll(Fault.all(random));
        }
        return deck.remove();
    }

    /** Waits until all processes run, the members are in sync, and a new transaction is announced. */
    private void awaitWhole(List<Long> ended, BrokerMembers members, Recovery recovery) {
        ligeiro.awaitReplaced(ended, WHOLE_WITHIN);
        await("members in sync").atMost(WHOLE_WITHIN).until(members::areWhole);
        recovery.awaitAnnounced(WHOLE_WITHIN);
    }
}
