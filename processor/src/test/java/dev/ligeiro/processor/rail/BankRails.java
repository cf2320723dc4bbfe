package dev.ligeiro.processor.rail;

import dev.ligeiro.processor.rail.bank.LiveRailProperties;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.processor.rail.bank.RunningBank;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The rails of the only processor of a bank's customer: it may make all calls of the account. */
public record BankRails(LiveRails live, Rails rails) {

    /** @param more settings of the account */
    public static BankRails of(RunningBank bank, MeterRegistry meters, Clock clock, String... more) {
        BankRails all = sharing(bank, meters, clock, more);
        all.rails.calls("bank").permit(bank.properties().callsAtOnce(), Instant.MAX);
        return all;
    }

    /** Those of one of several processors: it may make no call before it has a share. */
    static BankRails sharing(RunningBank bank, MeterRegistry meters, Clock clock, String... more) {
        LiveRailProperties settings = new LiveRailProperties(Map.of("bank", bank.properties(more)));
        LiveRails live = new LiveRails(settings, bank.bundles, meters, clock);
        Rails rails = new Rails(List.of(), live.sharedRails(), new RestoreProperties(Instant.EPOCH), meters, clock);
        return new BankRails(live, rails);
    }
}
