package dev.ligeiro.desk.key;

import com.mongodb.client.model.Filters;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.merchant.GuardController;
import dev.ligeiro.desk.merchant.MerchantController;
import dev.ligeiro.desk.merchant.MerchantJson;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.merchant.StopStore;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.webhook.EndpointController;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.conversions.Bson;
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
    private final EndpointController endpoints;
    private final TransactionWalkStore transactions;

    MerchantPages(
            MerchantController merchants,
            MerchantStore store,
            KeyController keys,
            GuardController guards,
            StopStore stops,
            EndpointController endpoints,
            TransactionWalkStore transactions) {
        this.merchants = merchants;
        this.store = store;
        this.keys = keys;
        this.guards = guards;
        this.stops = stops;
        this.endpoints = endpoints;
        this.transactions = transactions;
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
        Merchant merchant = merchant(merchantId);
        return new ModelAndView("merchant/page")
                .addObject("merchant", MerchantJson.of(merchant))
                .addObject("platforms", merchant.platforms())
                .addObject("keys", keys.list(merchantId, after))
                .addObject("endpoints", endpoints.list(merchantId).endpoints())
                .addObject("guards", guards.of(merchant))
                .addObject("stops", stops.ofMerchant(merchant.number()));
    }

    /** @param after the place that the shown transactions come after */
    @GetMapping("/{merchantId}/transactions")
    @Needs(Role.READ)
    ModelAndView transactions(
            @PathVariable UUID merchantId,
            @RequestParam(defaultValue = "live") Mode mode,
            @RequestParam @Nullable Operation operation,
            @RequestParam @Nullable Status status,
            @RequestParam @Nullable UUID after) {
        Merchant merchant = merchant(merchantId);
        List<Bson> matching = new ArrayList<>();
        if (operation != null) {
            matching.add(Filters.eq(TransactionFields.OPERATION, operation.code()));
        }
        if (status != null) {
            matching.add(Filters.eq(TransactionFields.STATUS, status.code()));
        }
        TransactionWalkStore.Page page = transactions.newest(
                Tenant.of(merchant.number(), mode),
                matching.isEmpty() ? Filters.empty() : Filters.and(matching),
                after);
        return new ModelAndView("merchant/transactions")
                .addObject("merchant", MerchantJson.of(merchant))
                .addObject("mode", mode)
                .addObject("operation", operation)
                .addObject("status", status)
                .addObject("found", page.found())
                .addObject("next", page.end() == null ? null : page.end().toString());
    }

    private Merchant merchant(UUID id) {
        return store.find(id).orElseThrow(() -> Problem.notFound("There is no such merchant"));
    }
}
