package dev.ligeiro.processor.rail.live;

import dev.ligeiro.processor.rail.PaymentRail;
import dev.ligeiro.processor.rail.SharedRails;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankProperties;
import dev.ligeiro.processor.rail.bank.LiveRailProperties;
import dev.ligeiro.processor.rail.efi.EfiRail;
import dev.ligeiro.processor.rail.pix.PixRail;
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
            rails.add(rail(name, account, bank, clock));
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

    private static PaymentRail rail(String name, BankProperties properties, BankAccount bank, Clock clock) {
        return switch (properties.kind()) {
            case PIX -> new PixRail(name, properties, bank, clock);
            case EFI -> new EfiRail(name, properties, bank, clock);
        };
    }
}
