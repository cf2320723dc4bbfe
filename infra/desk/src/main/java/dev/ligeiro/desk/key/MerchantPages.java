package dev.ligeiro.desk.key;

import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.merchant.Guard;
import dev.ligeiro.desk.merchant.GuardController;
import dev.ligeiro.desk.merchant.MerchantController;
import dev.ligeiro.desk.merchant.MerchantJson;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.StopStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.merchant.Stop;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The list of merchants, and the page of each one. */
@Controller
@RequestMapping("/console/merchants")
class MerchantPages {

    private final MerchantController merchants;
    private final MerchantStore store;
    private final KeyController keys;
    private final GuardController guards;
    private final StopStore stops;

    MerchantPages(
            MerchantController merchants,
            MerchantStore store,
            KeyController keys,
            GuardController guards,
            StopStore stops) {
        this.merchants = merchants;
        this.store = store;
        this.keys = keys;
        this.guards = guards;
        this.stops = stops;
    }

    @GetMapping
    @Needs(Role.READ)
    ModelAndView list(@RequestParam(defaultValue = "") String name, @RequestParam @Nullable UUID after) {
        return new ModelAndView("merchant/list")
                .addObject("name", name)
                .addObject("list", merchants.list(name.isBlank() ? null : name.strip(), null, after));
    }

    /** @param after the key that the shown ones come after */
    @GetMapping("/{merchantId}")
    @Needs(Role.READ)
    ModelAndView show(@PathVariable UUID merchantId, @RequestParam @Nullable UUID after) {
        Merchant merchant = store.find(merchantId).orElseThrow(() -> Problem.notFound("There is no such merchant"));
        List<Stop> stopped = stops.ofMerchant(merchant.number());
        List<Guard> limits = guards.of(merchant);
        return new ModelAndView("merchant/page")
                .addObject("merchant", MerchantJson.of(merchant))
                .addObject("platforms", merchant.platforms())
                .addObject("keys", keys.list(merchantId, after))
                .addObject("guards", limits)
                .addObject("stops", stopped);
    }
}
