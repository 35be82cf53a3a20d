// WebKitGTK and GTK, with functions in place of C macros and variadic functions, which Swift cannot call.

#pragma once

#include <gio/gio.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <libsoup/soup.h>
#include <webkit/webkit.h>

/// Connects a C function to a signal; `data` is its last argument.
static inline gulong inlay_connect(gpointer object, const char *signal, GCallback function, gpointer data) {
    return g_signal_connect_data(object, signal, function, data, NULL, (GConnectFlags)0);
}

/// Returns a new web view with the given context, network session and content manager. The caller owns a reference.
static inline WebKitWebView *inlay_web_view_new(
    WebKitWebContext *context, WebKitNetworkSession *session, WebKitUserContentManager *content) {
    gpointer view = g_object_new(
        WEBKIT_TYPE_WEB_VIEW, "web-context", context, "network-session", session, "user-content-manager", content,
        NULL);
    return WEBKIT_WEB_VIEW(g_object_ref_sink(view));
}

static inline GtkWidget *inlay_widget(WebKitWebView *view) { return GTK_WIDGET(view); }

static inline GtkWindow *inlay_window(GtkWidget *widget) { return GTK_WINDOW(widget); }

static inline WebKitPolicyDecision *inlay_policy_decision(gpointer decision) { return WEBKIT_POLICY_DECISION(decision); }

/// Returns the action that a decision on a navigation or a new window is about.
static inline WebKitNavigationAction *inlay_navigation_action(WebKitPolicyDecision *decision) {
    return webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
}

/// Returns the address of the response that a decision is about.
static inline const char *inlay_response_uri(WebKitPolicyDecision *decision) {
    WebKitResponsePolicyDecision *response = WEBKIT_RESPONSE_POLICY_DECISION(decision);
    return webkit_uri_request_get_uri(webkit_response_policy_decision_get_request(response));
}

static inline gboolean inlay_response_is_page(WebKitPolicyDecision *decision) {
    return webkit_response_policy_decision_is_main_frame_main_resource(WEBKIT_RESPONSE_POLICY_DECISION(decision));
}

static inline GtkStack *inlay_stack(GtkWidget *widget) { return GTK_STACK(widget); }

static inline GtkWidget *inlay_stack_widget(GtkStack *stack) { return GTK_WIDGET(stack); }

static inline void inlay_stack_switcher_set_stack(GtkWidget *switcher, GtkStack *stack) {
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), stack);
}

static inline void inlay_header_bar_set_title_widget(GtkWidget *bar, GtkWidget *title) {
    gtk_header_bar_set_title_widget(GTK_HEADER_BAR(bar), title);
}

static inline WebKitWebView *inlay_web_view(gpointer object) { return WEBKIT_WEB_VIEW(object); }
