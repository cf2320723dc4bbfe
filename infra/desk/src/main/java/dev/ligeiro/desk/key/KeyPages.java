package dev.ligeiro.desk.key;

import dev.ligeiro.desk.key.KeyController.FoundKey;
import dev.ligeiro.desk.merchant.MerchantNames;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.ApiKey;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The page of a key: whose it is, what it may do, and what it has done. */
@Controller
class KeyPages {

    private final KeyController keys;
    private final KeyStore store;
    private final MerchantNames names;
    private final Clock clock;

    KeyPages(KeyController keys, KeyStore store, MerchantNames names, Clock clock) {
        this.keys = keys;
        this.store = store;
        this.names = names;
        this.clock = clock;
    }

    @GetMapping("/console/keys/{keyId}")
    @Needs(Role.READ)
    ModelAndView show(@PathVariable UUID keyId, @RequestParam @Nullable UUID after) {
        ApiKey key = store.find(keyId).orElseThrow(KeyController::notFound);
        return new ModelAndView("key/page")
                .addObject("found", new FoundKey(names.of(key.merchantId()), KeyJson.of(key, clock.instant())))
                .addObject("list", keys.uses(keyId, after));
    }
}
