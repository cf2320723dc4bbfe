package dev.ligeiro.processor.rail;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.processor.LiveTransactions;
import dev.ligeiro.support.RailProperties;
import dev.ligeiro.testing.time.TestClock;
import dev.ligeiro.transaction.Transaction;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Live transactions whose stored rail this processor does not have: its only rail is "bank". */
class MissingRailTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(Rails.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TestClock clock = TestClock.frozen();
    private final Rails rails = new Rails(
            new RailRoutes(
                    List.of(FixedRail.answering("bank", RailOutcome.Settled.asAgreed())),
                    new RailProperties(List.of())),
            meters,
            clock);
    private final Transaction live = LiveTransactions.of(Transactions.goldenCashout());
    private final Transaction closed = of("closed-bank");
    private final Transaction other = of("other-bank");

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    @Test
    void aMissingRailIsCounted() {
        assertThat(rails.facts(live)).isEmpty();
        assertThat(missing()).as("of a transaction without the name of a rail").isZero();
        assertThat(rails.facts(of("bank"))).isPresent();
        assertThat(rails.facts(closed)).isEmpty();
        assertThat(missing()).isEqualTo(1);
    }

    @Test
    void aMissingRailIsLoggedOnceAMinuteAlsoAtOneInstant() {
        rails.facts(closed);
        rails.facts(closed);
        assertThat(missingLogged()).containsExactly("closed-bank");
        rails.facts(other);
        assertThat(missingLogged()).as("each rail by itself").containsExactly("closed-bank", "other-bank");

        clock.move(Duration.ofMillis(59_999));
        rails.facts(closed);
        assertThat(missingLogged()).hasSize(2);
        clock.move(Duration.ofMillis(1));
        rails.facts(closed);
        rails.facts(closed);
        assertThat(missingLogged()).containsExactly("closed-bank", "other-bank", "closed-bank");
        assertThat(missing()).isEqualTo(6);
    }

    private Transaction of(String rail) {
        return Transactions.like(live).rail(rail).build();
    }

    /** The rails that were logged as missing. Late calls of other tests log other lines. */
    private List<Object> missingLogged() {
        return lines.list.stream()
                .filter(line -> line.getMessage().startsWith("This processor does not have the rail"))
                .flatMap(line -> line.getKeyValuePairs().stream())
                .filter(pair -> pair.key.equals("rail"))
                .map(pair -> pair.value)
                .toList();
    }

    private double missing() {
        return meters.get("ligeiro.rail.missing").counter().count();
    }
}
