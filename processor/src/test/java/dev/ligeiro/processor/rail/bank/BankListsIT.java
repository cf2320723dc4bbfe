package dev.ligeiro.processor.rail.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.processor.rail.BankRails;
import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.testing.time.TestClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lists of a bank, with limits of a size that a test can reach. */
class BankListsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Instant HOUR =
            Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(5));

    private final RunningBank bank = new RunningBank(settings -> settings);
    private final BankRails rails = BankRails.of(bank, new SimpleMeterRegistry(), TestClock.ticking());
    /** At most 8 payments a list. */
    private final BankLists lists = new BankLists(rails.rails(), 4, 2);

    @AfterEach
    void close() {
        bank.close();
    }

    /** With the fault, it ended silently after the last page that was permitted. */
    @Test
    void aListThatIsTooLongIsReadInHalvesOfItsSpan() {
        List<String> paid = new ArrayList<>();
        for (int minute = 0; minute < 21; minute++) {
            paid.add(pay(HOUR.plus(Duration.ofMinutes(2L * minute))));
        }

        assertThat(read()).containsExactlyElementsOf(paid);
    }

    @Test
    void whatIsTooLongInEachHalfFails() {
        for (int i = 0; i < 9; i++) {
            pay(HOUR);
        }

        assertThatThrownBy(this::read)
                .isInstanceOf(RailFault.class)
                .hasMessageStartingWith("quantidadeTotalDeItens: 9 (expected: <= 8 from " + HOUR);
    }

    private List<String> read() {
        BankLists.Span span = new BankLists.Span(
                Objects.requireNonNull(rails.live().accounts().get("bank")),
                HOUR,
                HOUR.plus(Duration.ofHours(1)));
        return Objects.requireNonNull(lists.received("payments", span, BankLists.ALL)
                .concatMapIterable(page -> page)
                .map(BankPayment::endToEndId)
                .collectList()
                .block(TIMEOUT));
    }

    private String pay(Instant at) {
        return bank.post(
                        "POST",
                        "/payer/pay",
                        "{\"key\":\"%s\",\"amount\":\"7.00\",\"at\":\"%s\"}".formatted(bank.bank.pixKey(), at))
                .path("e2e_id")
                .asString();
    }
}
