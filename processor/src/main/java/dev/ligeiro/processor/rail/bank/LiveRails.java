package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.SharedRails;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** The bank accounts in the settings and their rails; none without settings. */
@Component
public class LiveRails {

    private final List<PaymentRail> rails = new ArrayList<>();
    private final Map<String, BankAccount> accounts = new HashMap<>();

    public LiveRails(LiveRailProperties properties, SslBundles bundles, MeterRegistry meters, Clock clock) {
        properties.rails().forEach((name, account) -> {
            BankAccount bank = new BankAccount(name, account, bundles, meters, clock);
            accounts.put(name, bank);
            rails.add(account.kind() == BankProperties.Kind.EFI ? new EfiRail(bank, clock) : new PixRail(bank, clock));
        });
    }

    @Bean
    public SharedRails sharedRails() {
        return new SharedRails(List.copyOf(rails));
    }

    /** The accounts by the names of their rails. */
    public Map<String, BankAccount> accounts() {
        return Collections.unmodifiableMap(accounts);
    }
}
