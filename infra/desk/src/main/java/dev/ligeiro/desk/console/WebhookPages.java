package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.desk.console.Answers.Attempt;
import dev.ligeiro.desk.console.Answers.Delivery;
import dev.ligeiro.desk.console.Answers.DeliveryList;
import dev.ligeiro.desk.console.Answers.Endpoint;
import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Coded;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The webhook endpoints, one endpoint with the cause of its failures and its deliveries, and the forms that change it or send again. */
@Controller
@RequestMapping(HOME + "/endpoints")
public class WebhookPages {

    private static final String ONE = "redirect:" + HOME + "/endpoints/";
    private static final Map<String, String> WAITING = Map.of("status", "scheduled");

    private final GatewayApi api;
    private final ZoneId zone;
    private final Clock clock;

    WebhookPages(GatewayApi api, @Value("${ligeiro.time-zone}") ZoneId zone, Clock clock) {
        this.api = api;
        this.zone = zone;
        this.clock = clock;
    }

    @GetMapping
    String list(Model model) {
        model.addAttribute("endpoints", api.endpoints().webhooks());
        return "console/endpoints";
    }

    /** What a person enters, and the API takes: a new endpoint, or a change in which what is null stays as it is. */
    public record EndpointForm(
            @NotBlank(message = "required") @Nullable String url,
            @NotEmpty(message = "required") @Nullable List<String> events,
            @Nullable String description,
            @Nullable Boolean enabled) {

        public boolean has(EventType event) {
            return events != null && events.contains(event.code());
        }
    }

    @GetMapping("/new")
    String blank(Model model) {
        List<String> events = EventType.STATUS_CHANGES.stream().map(Coded::code).toList();
        return form(null, new EndpointForm("https://", events, null, null), Errors.NONE, model);
    }

    @PostMapping
    String register(@Valid EndpointForm form, BindingResult binding, Model model) {
        Errors errors = Errors.of(binding, () -> model.addAttribute("endpoint", api.register(form)));
        return errors.isEmpty() ? "console/secret" : form(null, form, errors, model);
    }

    @GetMapping("/{id}/edit")
    String edit(@PathVariable UUID id, Model model) {
        Endpoint now = api.endpoint(id);
        return form(id, new EndpointForm(now.url(), now.events(), now.description(), null), Errors.NONE, model);
    }

    @PostMapping("/{id}/edit")
    String change(
            @PathVariable UUID id,
            @Valid EndpointForm form,
            BindingResult binding,
            RedirectAttributes next,
            Model model) {
        Errors errors = Errors.of(binding, () -> {
            api.change(id, form);
            next.addFlashAttribute(MerchantFrame.DONE, "endpoint_edit");
        });
        return errors.isEmpty() ? ONE + id : form(id, form, errors, model);
    }

    private static String form(@Nullable UUID id, EndpointForm form, Errors errors, Model model) {
        model.addAttribute("id", id);
        model.addAttribute("form", form);
        model.addAttribute("errors", errors);
        return "console/endpoint_form";
    }

    /**
     * The attempt that the person has asked for.
     *
     * @param result null while it runs
     */
    public record Trial(@Nullable Attempt result) {}

    /** The period whose webhooks are sent again, in the installation's zone. */
    public record ReplayForm(
            @NotNull(message = "required") @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) @Nullable
                    LocalDateTime from,
            @NotNull(message = "required") @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) @Nullable
                    LocalDateTime to,
            @NotBlank(message = "required") @Nullable String status) {

        Map<String, String> body(ZoneId zone) {
            return Map.of(
                    "from", time(from, zone),
                    "to", time(to, zone),
                    "status", String.valueOf(status));
        }

        private static String time(@Nullable LocalDateTime local, ZoneId zone) {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                    Objects.requireNonNull(local).atZone(zone));
        }
    }

    @GetMapping("/{id}")
    String show(@PathVariable UUID id, @RequestParam Map<String, String> query, Model model) {
        LocalDateTime now = LocalDateTime.ofInstant(clock.instant(), zone).truncatedTo(ChronoUnit.MINUTES);
        ReplayForm lastDay = new ReplayForm(now.minusDays(1), now.plusMinutes(1), "undelivered");
        return show(id, query, lastDay, Errors.NONE, model);
    }

    private String show(UUID id, Map<String, String> query, ReplayForm replay, Errors errors, Model model) {
        DeliveryList page =
                api.deliveries(id, Filters.of(query, List.of("status", "after")).given());
        DeliveryList waiting = api.deliveries(id, WAITING);
        Attempt last = Stream.concat(page.deliveries().stream(), waiting.deliveries().stream())
                .map(Delivery::last)
                .filter(Objects::nonNull)
                .max(Comparator.comparing(Attempt::at))
                .orElse(null);
        model.addAttribute("endpoint", api.endpoint(id));
        model.addAttribute("page", page);
        model.addAttribute("waiting", waiting);
        model.addAttribute("last", last);
        model.addAttribute("trial", query.containsKey("tried") ? trial(id, query, page) : null);
        model.addAttribute("status", query.getOrDefault("status", ""));
        model.addAttribute("replay", replay);
        model.addAttribute("errors", errors);
        return "console/endpoint";
    }

    /** It has ended when its delivery has more attempts than before. Test events have no transaction. */
    private @Nullable Trial trial(UUID id, Map<String, String> query, DeliveryList page) {
        String transaction = query.getOrDefault("transaction", "");
        DeliveryList list = transaction.isEmpty() ? page : api.deliveries(id, Map.of("transaction_id", transaction));
        return list.deliveries().stream()
                .filter(delivery -> delivery.id().equals(query.get("tried")))
                .findFirst()
                .map(delivery -> Integer.toString(delivery.attempts().size()).equals(query.get("attempts"))
                        ? new Trial(null)
                        : new Trial(delivery.last()))
                .orElse(null);
    }

    /** Sends the newest event that waits, or a test event if none does. The page shows what becomes of it. */
    @PostMapping("/{id}/try")
    String tryNow(@PathVariable UUID id, RedirectAttributes next) {
        try {
            List<Delivery> waiting = api.deliveries(id, WAITING).deliveries();
            Delivery sent = waiting.isEmpty()
                    ? api.test(id)
                    : api.redeliver(id, waiting.get(0).id());
            next.addAttribute("tried", sent.id());
            next.addAttribute("transaction", sent.transactionId());
            next.addAttribute("attempts", sent.attempts().size());
        } catch (ApiProblem problem) {
            MerchantFrame.warn(problem, next);
        }
        return ONE + id;
    }

    /** @param transaction where the button was; null for the page of the endpoint */
    @PostMapping("/{id}/deliveries/{deliveryId:dlv_[A-Za-z0-9_-]+}/redeliver")
    String redeliver(
            @PathVariable UUID id,
            @PathVariable String deliveryId,
            @RequestParam @Nullable UUID transaction,
            RedirectAttributes next) {
        MerchantFrame.change(next, "redelivered", () -> api.redeliver(id, deliveryId));
        return transaction == null ? ONE + id : "redirect:" + HOME + "/transactions/" + transaction;
    }

    @PostMapping("/{id}/replay")
    String replay(
            @PathVariable UUID id,
            @Valid ReplayForm form,
            BindingResult binding,
            RedirectAttributes next,
            Model model) {
        Errors errors = Errors.of(
                binding,
                () -> next.addAttribute(
                        "replay", api.startReplay(id, form.body(zone)).id()));
        return errors.isEmpty() ? ONE + id + "/replays/{replay}" : show(id, Map.of(), form, errors, model);
    }

    @GetMapping("/{id}/replays/{replayId}")
    String replay(@PathVariable UUID id, @PathVariable UUID replayId, Model model) {
        model.addAttribute("endpoint", api.endpoint(id));
        model.addAttribute("replay", api.replay(id, replayId));
        return "console/replay";
    }

    @GetMapping("/{id}/{action:rotate|enable|disable}")
    String confirm(@PathVariable UUID id, @PathVariable String action, Model model) {
        model.addAttribute("endpoint", api.endpoint(id));
        model.addAttribute("action", action);
        return "console/endpoint_action";
    }

    @PostMapping("/{id}/{action:enable|disable}")
    String change(@PathVariable UUID id, @PathVariable String action, RedirectAttributes next) {
        EndpointForm change = new EndpointForm(null, null, null, action.equals("enable"));
        MerchantFrame.change(next, "endpoint_" + action, () -> api.change(id, change));
        return ONE + id;
    }

    @PostMapping("/{id}/rotate")
    String rotate(@PathVariable UUID id, RedirectAttributes next, Model model) {
        try {
            model.addAttribute("endpoint", api.rotate(id));
            return "console/secret";
        } catch (ApiProblem problem) {
            MerchantFrame.warn(problem, next);
            return ONE + id;
        }
    }
}
