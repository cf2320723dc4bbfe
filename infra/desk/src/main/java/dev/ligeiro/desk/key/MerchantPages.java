package dev.ligeiro.desk.key;

import dev.ligeiro.desk.merchant.GuardController;
import dev.ligeiro.desk.merchant.MerchantController;
import dev.ligeiro.desk.merchant.MerchantJson;
import dev.ligeiro.desk.merchant.MerchantStore;
import dev.ligeiro.desk.money.StopController;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.desk.webhook.EndpointController;
import dev.ligeiro.merchant.Merchant;
import dev.ligeiro.store.TransactionFields;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.Tenant;
import java.util.UUID;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The list of merchants, and the pages of each one and of its keys. */
@Controller
@RequestMapping("/console")
class MerchantPages {

    private final MerchantController merchants;
    private final MerchantStore store;
    private final KeyController keys;
    private final GuardController guards;
    private final StopController stops;
    private final EndpointController endpoints;
    private final TransactionStore transactions;

    MerchantPages(
            MerchantController merchants,
            MerchantStore store,
            KeyController keys,
            GuardController guards,
            StopController stops,
            EndpointController endpoints,
            TransactionStore transactions) {
        this.merchants = merchants;
        this.store = store;
        this.keys = keys;
        this.guards = guards;
        this.stops = stops;
        this.endpoints = endpoints;
        this.transactions = transactions;
    }

    @GetMapping("/merchants")
    @Needs(Role.READ)
    ModelAndView list(@RequestParam(defaultValue = "") String name, @RequestParam @Nullable UUID after) {
        return new ModelAndView("merchant/list", "name", name)
                .addObject("list", merchants.list(name.isBlank() ? null : name.strip(), null, after));
    }

    @GetMapping("/merchants/{merchantId}")
    @Needs(Role.READ)
    ModelAndView show(@PathVariable UUID merchantId, @RequestParam @Nullable UUID after) {
        Merchant merchant = store.get(merchantId);
        return new ModelAndView("merchant/page", "merchant", MerchantJson.of(merchant))
                .addObject("platforms", merchant.platforms())
                .addObject("keys", keys.list(merchantId, after))
                .addObject("endpoints", endpoints.list(merchantId).endpoints())
                .addObject("guards", guards.of(merchant))
                .addObject("stops", stops.ofMerchant(merchant.number()));
    }

    @GetMapping("/merchants/{merchantId}/transactions")
    @Needs(Role.READ)
    ModelAndView transactions(
            @PathVariable UUID merchantId,
            @RequestParam(defaultValue = "live") Mode mode,
            @RequestParam @Nullable Operation operation,
            @RequestParam @Nullable Status status,
            @RequestParam @Nullable UUID after) {
        Merchant merchant = store.get(merchantId);
        Document matching = new Document();
        if (operation != null) {
            matching.append(TransactionFields.OPERATION, operation.code());
        }
        if (status != null) {
            matching.append(TransactionFields.STATUS, status.code());
        }
        return new ModelAndView("merchant/transactions", "merchant", merchant)
                .addObject("mode", mode)
                .addObject("operation", operation)
                .addObject("status", status)
                .addObject("page", transactions.newest(Tenant.of(merchant.number(), mode), matching, after));
    }
}
