.PHONY: demo test bench docs lint format clean

demo: ## Start the server with a made-up ferry company and an app that shows its cards; ARGS=--gtk for a window
	@Scripts/bootstrap demo
	@Scripts/demo $(ARGS)

test: ## Everything that must be true: unit, store, end-to-end and browser tests, lint, requirements
	@Scripts/bootstrap test
	@Scripts/test

bench: ## The speeds that the design names, each beside its limit or peer
	@Scripts/bootstrap bench
	@Scripts/bench $(ARGS)

docs: ## The guides, the API of the SDK and the HTTP API as one site in .build-docs
	@Scripts/bootstrap docs
	@Scripts/docs

lint: ## Formatting and house rules
	@Scripts/lint

format: ## Mend formatting
	@swift format format --in-place --recursive --parallel $$(Scripts/lint --folders)

clean: ## Remove everything that a build or a test made; never .inlay, the data of a server that ran here
	rm -rf .build .build-* Linux/.build Linux/.build-* Server/.build Server/.build-* Benchmarks/.build \
	  Benchmarks/.build-* .venv
