package dev.ligeiro.processor.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ligeiro.processor.rail.BankRails;
import dev.ligeiro.processor.rail.bank.RunningBank;
import dev.ligeiro.testing.settings.Settings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RegisterNoticeUrlsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    /** Nobody answers at the URL. With the fault, each attempt read all payments again. */
    @Test
    void aRefusedUrlIsTriedAgainAfter10SecondsAndNothingElseIsDone() {
        try (RunningBank bank = new RunningBank(settings -> settings.webhookUrlsChecked(true))) {
            RegisterNoticeUrls urls = urls(bank);

            assertThatThrownBy(() -> urls.run().block(TIMEOUT)).hasMessage("status: 400");
            assertThat(urls.pause()).isEqualTo(Duration.ofSeconds(10));
            assertThat(meters.find("ligeiro.rail.requests").meters())
                    .extracting(Meter::getId)
                    .extracting(id -> id.getTag("request"))
                    .containsOnly("token", "notice_url");
        }
    }

    @Test
    void anotherUrlIsReplacedAndOursIsLeft() {
        try (RunningBank bank = new RunningBank(settings -> settings)) {
            RegisterNoticeUrls urls = urls(bank);
            urls.run().block(TIMEOUT);
            urls.run().block(TIMEOUT);

            assertThat(meters.get("ligeiro.rail.requests")
                            .tags("request", "notice_url", "status", "200")
                            .timer()
                            .count())
                    .as("read, written, read")
                    .isEqualTo(3);
            assertThat(urls.pause()).isGreaterThan(Duration.ofMinutes(4));
        }
    }

    private RegisterNoticeUrls urls(RunningBank bank) {
        BankRails rails = BankRails.of(bank, meters, Clock.systemUTC(), "notice-url=https://localhost:9/bank");
        return new RegisterNoticeUrls(rails.live(), rails.rails(), Settings.of(NoticeProperties.class));
    }
}
