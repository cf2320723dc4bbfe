package dev.ligeiro.infra.launcher.endtoend;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(4)
class MagicAmountsIT {

    private final EndToEndMerchant merchant = SharedSystem.running().newMerchant();

    @Test
    void eachTransactionGoesTheWayOfItsCentsAndEachStepIsAnnounced() {
        try (Receiver receiver = new Receiver(merchant)) {
            Map<String, ExpectedLifecycle> created = new LinkedHashMap<>();
            for (ExpectedLifecycle lifecycle : ExpectedLifecycle.values()) {
                created.put(merchant.create(lifecycle).id(), lifecycle);
            }
            new CompletenessCheck(merchant, receiver, created).run();
        }
    }
}
