package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.desk.console.Answers.Attempt;
import dev.ligeiro.desk.console.Answers.Delivery;
import dev.ligeiro.desk.console.Answers.DeliveryList;
import dev.ligeiro.desk.console.Answers.Endpoint;
import dev.ligeiro.desk.console.Answers.Replay;
import dev.ligeiro.desk.console.GatewayApi.EndpointChange;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.desk.page.OperatorFrame;
import dev.ligeiro.message.EventType;
import dev.ligeiro.transaction.Coded;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The webhook endpoints, one endpoint with the cause of its failures and its deliveries, and the forms that change it or send again. */
@Controller
@RequestMapping(HOME + "/endpoints")
public class EndpointPages {

    private static final String ALL = HOME + "/endpoints";
    private static final String ONE_DELIVERY = "/{id}/deliveries/{deliveryId:dlv_[A-Za-z0-9_-]+}";
    private static final List<String> STATUSES =
            List.of("undelivered", "scheduled", "delivered", "exhausted", "canceled");
    private static final List<String> REPLAYED = List.of("undelivered", "delivered", "exhausted", "canceled");
    private static final List<String> EVENTS =
            Arrays.stream(EventType.values()).map(Coded::code).toList();

    private final GatewayApi api;
    private final ZoneId zone;
    private final Clock clock;

    EndpointPages(GatewayApi api, @Value("${ligeiro.time-zone}") ZoneId zone, Clock clock) {
        this.api = api;
        this.zone = zone;
        this.clock = clock;
    }

    @GetMapping
    String list(Model model) {
        model.addAttribute("endpoints", api.endpoints().webhooks());
        return "console/endpoints";
    }

    public record EndpointForm(
            @NotBlank(message = "required") @Nullable String url,
            @NotEmpty(message = "required") @Nullable List<String> events,
            @Nullable String description) {

        public boolean has(String event) {
            return events != null && events.contains(event);
        }

        EndpointChange change() {
            return new EndpointChange(url, events, description, null);
        }
    }

    @GetMapping("/new")
    String blank(Model model) {
        EndpointForm blank = new EndpointForm(
                "https://", EventType.STATUS_CHANGES.stream().map(Coded::code).toList(), null);
        return form(null, blank, Errors.NONE, model);
    }

    @PostMapping
    String register(@Valid EndpointForm form, BindingResult binding, HttpServletResponse response, Model model) {
        return save(null, form, binding, response, model, () -> {
            model.addAttribute("endpoint", api.register(form.change()));
            return "console/secret";
        });
    }

    @GetMapping("/{id}/edit")
    String edit(@PathVariable UUID id, Model model) {
        Endpoint endpoint = api.endpoint(id);
        EndpointForm form = new EndpointForm(endpoint.url(), endpoint.events(), endpoint.description());
        return form(id, form, Errors.NONE, model);
    }

    @PostMapping("/{id}/edit")
    String change(
            @PathVariable UUID id,
            @Valid EndpointForm form,
            BindingResult binding,
            @ModelAttribute("frame") Frame frame,
            HttpServletResponse response,
            RedirectAttributes next,
            Model model) {
        return save(id, form, binding, response, model, () -> {
            api.change(id, form.change());
            next.addFlashAttribute(OperatorFrame.NOTICE, frame.text("console.done.endpoint_edit"));
            return "redirect:" + ALL + "/" + id;
        });
    }

    private static String save(
            @Nullable UUID id,
            EndpointForm form,
            BindingResult binding,
            HttpServletResponse response,
            Model model,
            Supplier<String> save) {
        Errors errors = Errors.of(binding);
        if (errors.isEmpty()) {
            try {
                return save.get();
            } catch (ApiProblem problem) {
                errors = Errors.of(problem);
            }
        }
        response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        return form(id, form, errors, model);
    }

    private static String form(@Nullable UUID id, EndpointForm form, Errors errors, Model model) {
        model.addAttribute("id", id);
        model.addAttribute("form", form);
        model.addAttribute("events", EVENTS);
        model.addAttribute("errors", errors);
        return "console/endpoint_form";
    }

    /**
     * What stands at the beginning of an endpoint's page.
     *
     * @param last the newest attempt of the deliveries that were looked at; null for none
     * @param waiting how many deliveries wait, of at most a page
     * @param isMore whether more wait
     * @param trial the attempt that the person has asked for; null for none
     */
    public record Cause(@Nullable Attempt last, int waiting, boolean isMore, @Nullable Trial trial) {}

    /** @param result null while it runs */
    public record Trial(@Nullable Attempt result) {}

    /**
     * @param tried the delivery that the person has sent again, of this transaction, with so many attempts before
     * @param after the cursor of the deliveries' page
     */
    record Shown(
            @Nullable String status,
            @Nullable String after,
            @Nullable String tried,
            @Nullable String transaction,
            @Nullable Integer attempts) {

        Map<String, String> filters() {
            return Filters.of(
                            Map.of(
                                    "status", Objects.requireNonNullElse(status, ""),
                                    "after", Objects.requireNonNullElse(after, "")),
                            List.of("status", "after"))
                    .given();
        }
    }

    @GetMapping("/{id}")
    String show(@PathVariable UUID id, Shown shown, Model model) {
        LocalDateTime now = LocalDateTime.ofInstant(clock.instant(), zone).truncatedTo(ChronoUnit.MINUTES);
        return show(id, shown, new ReplayForm(now.minusDays(1), now.plusMinutes(1), "undelivered"), Errors.NONE, model);
    }

    private String show(UUID id, Shown shown, ReplayForm replay, Errors errors, Model model) {
        DeliveryList page = api.deliveries(id, shown.filters());
        model.addAttribute("endpoint", api.endpoint(id));
        model.addAttribute("page", page);
        model.addAttribute("cause", cause(id, shown, page));
        model.addAttribute("status", Objects.requireNonNullElse(shown.status, ""));
        model.addAttribute("statuses", STATUSES);
        model.addAttribute("replayed", REPLAYED);
        model.addAttribute("replay", replay);
        model.addAttribute("errors", errors);
        return "console/endpoint";
    }

    private Cause cause(UUID id, Shown shown, DeliveryList page) {
        DeliveryList waiting = api.deliveries(id, Map.of("status", "scheduled"));
        Attempt last = Stream.concat(page.deliveries().stream(), waiting.deliveries().stream())
                .map(Delivery::last)
                .filter(Objects::nonNull)
                .max(Comparator.comparing(Attempt::at))
                .orElse(null);
        return new Cause(last, waiting.deliveries().size(), waiting.nextCursor() != null, trial(id, shown, page));
    }

    private @Nullable Trial trial(UUID id, Shown shown, DeliveryList page) {
        if (shown.tried == null) {
            return null;
        }
        boolean isTest = shown.transaction == null || shown.transaction.isEmpty();
        List<Delivery> candidates = isTest
                ? page.deliveries()
                : api.deliveries(id, Map.of("transaction_id", shown.transaction))
                        .deliveries();
        int before = shown.attempts == null ? 0 : shown.attempts;
        return candidates.stream()
                .filter(delivery -> delivery.id().equals(shown.tried))
                .findFirst()
                .map(delivery -> new Trial(delivery.attempts().size() > before ? delivery.last() : null))
                .orElse(null);
    }

    /** Sends the newest event that waits, or a test event if none does. The page shows what becomes of it. */
    @PostMapping("/{id}/try")
    String tryNow(@PathVariable UUID id, @ModelAttribute("frame") Frame frame, RedirectAttributes next) {
        try {
            List<Delivery> waiting =
                    api.deliveries(id, Map.of("status", "scheduled")).deliveries();
            Delivery sent = waiting.isEmpty()
                    ? api.test(id)
                    : api.redeliver(id, waiting.get(0).id());
            next.addAttribute("tried", sent.id());
            next.addAttribute("transaction", sent.transactionId());
            next.addAttribute("attempts", sent.attempts().size());
        } catch (ApiProblem problem) {
            warn(problem, frame, next);
        }
        return "redirect:" + ALL + "/" + id;
    }

    /** @param transaction where the button was; null for the page of the endpoint */
    @PostMapping(ONE_DELIVERY + "/redeliver")
    String redeliver(
            @PathVariable UUID id,
            @PathVariable String deliveryId,
            @RequestParam @Nullable UUID transaction,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes next) {
        try {
            api.redeliver(id, deliveryId);
            next.addFlashAttribute(OperatorFrame.NOTICE, frame.text("console.done.redelivered"));
        } catch (ApiProblem problem) {
            warn(problem, frame, next);
        }
        return "redirect:" + (transaction == null ? ALL + "/" + id : HOME + "/transactions/" + transaction);
    }

    private static void warn(ApiProblem problem, Frame frame, RedirectAttributes next) {
        String code = Errors.of(problem).problem();
        next.addFlashAttribute("warning", Words.code(frame, "problem", code == null ? problem.code() : code));
    }

    public record ReplayForm(
            @NotNull(message = "required") @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) @Nullable
                    LocalDateTime from,
            @NotNull(message = "required") @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) @Nullable
                    LocalDateTime to,
            @NotBlank(message = "required") @Nullable String status) {}

    @PostMapping("/{id}/replay")
    String replay(
            @PathVariable UUID id,
            @Valid ReplayForm form,
            BindingResult binding,
            HttpServletResponse response,
            Model model) {
        Errors errors = Errors.of(binding);
        if (errors.isEmpty()) {
            try {
                Replay started = api.startReplay(
                        id,
                        Map.of(
                                "from", time(form.from()),
                                "to", time(form.to()),
                                "status", String.valueOf(form.status())));
                return "redirect:" + ALL + "/" + id + "/replays/" + started.id();
            } catch (ApiProblem problem) {
                errors = Errors.of(problem);
            }
        }
        response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        return show(id, new Shown(null, null, null, null, null), form, errors, model);
    }

    private String time(@Nullable LocalDateTime local) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                Objects.requireNonNull(local).atZone(zone).toOffsetDateTime());
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

    @PostMapping("/{id}/{action:rotate|enable|disable}")
    String change(
            @PathVariable UUID id,
            @PathVariable String action,
            @ModelAttribute("frame") Frame frame,
            RedirectAttributes next,
            Model model) {
        try {
            if (action.equals("rotate")) {
                model.addAttribute("endpoint", api.rotate(id));
                return "console/secret";
            }
            api.change(id, new EndpointChange(null, null, null, action.equals("enable")));
            next.addFlashAttribute(OperatorFrame.NOTICE, frame.text("console.done.endpoint_" + action));
        } catch (ApiProblem problem) {
            warn(problem, frame, next);
        }
        return "redirect:" + ALL + "/" + id;
    }
}
